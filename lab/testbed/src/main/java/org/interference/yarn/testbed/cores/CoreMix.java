package org.interference.yarn.testbed.cores;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which containers work beside one another. The published claim is about their number, of both classes, of CPU-intensive ones and of I/O-intensive ones;
 * the last is where our rule can only lose.
 *
 * @param name as in the results
 * @param containers of each kind of work, in the order in which they are asked for; a kind is one of lab/benchmarks/corun/contender.c's
 */
record CoreMix(String name, Map<String, Integer> containers) {
    private static final String CPU = "cpu-integer";
    private static final String MATRIX = "cpu-matrix";
    private static final String READS = "disk-random";
    private static final String WRITES = "disk-write";

    static final List<CoreMix> ALL = List.of(
            of("2", 1, CPU, READS),
            of("4", 1, CPU, READS, MATRIX, WRITES),
            of("8", 2, CPU, READS, MATRIX, WRITES),
            of("16", 4, CPU, READS, MATRIX, WRITES),
            of("cpu_2", 1, CPU, MATRIX),
            of("cpu_4", 2, CPU, MATRIX),
            of("cpu_8", 4, CPU, MATRIX),
            of("cpu_16", 8, CPU, MATRIX),
            of("io_2", 1, READS, WRITES),
            of("io_4", 2, READS, WRITES),
            of("io_8", 4, READS, WRITES),
            of("io_16", 8, READS, WRITES),
            of("phases", 1, "cpu-disk", "cpu-light", READS));

    CoreMix {
        containers = Collections.unmodifiableMap(new LinkedHashMap<>(containers));
    }

    private static CoreMix of(String name, int each, String... kinds) {
        Map<String, Integer> containers = new LinkedHashMap<>();
        Arrays.stream(kinds).forEach(kind -> containers.merge(kind, each, Integer::sum));
        return new CoreMix(name, containers);
    }

    static CoreMix named(String name) {
        return ALL.stream()
                .filter(mix -> mix.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a mix is called '%s' but must be one of %s"
                        .formatted(name, ALL.stream().map(CoreMix::name).toList())));
    }

    int size() {
        return containers.values().stream().mapToInt(Integer::intValue).sum();
    }
}
