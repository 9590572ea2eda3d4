package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.interference.yarn.signal.WorkClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worked by hand from the text of Algorithms 2 and 3, with the paper's mu of 2. */
class CtbraTest {
    private static final Ctbra CTBRA = new Ctbra(2);
    private static final String COMPUTING = "c";
    private static final String WAITING = "w";

    /**
     * Algorithm 3 for one class alone: N cores (the paper's machine has 16), M containers, and what its lines give each.
     * Lines 1 to 4 where N > M: part = [N/M], from i * part on. Lines 5 to 7 else: the core i mod N.
     */
    @ParameterizedTest(name = "N = {0}, M = {1}")
    @CsvSource(delimiter = '|', textBlock = """
            # N | M  | of each container, in their order
            16  | 1  | 0-15
            16  | 2  | 0-7 8-15
            16  | 3  | 0-4 5-9 10-14
            16  | 4  | 0-3 4-7 8-11 12-15
            16  | 8  | 0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15
            16  | 9  | 0 1 2 3 4 5 6 7 8
            16  | 16 | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
            16  | 18 | 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1
            2   | 1  | 0-1
            2   | 2  | 0 1
            2   | 5  | 0 1 0 1 0
            1   | 3  | 0 0 0
            """)
    void equalAllocation(int cores, int containers, String given) {
        for (String one : List.of(COMPUTING, WAITING)) {
            assertThat(allocated(CTBRA, cores, one.repeat(containers)))
                    .as("all of class %s", one)
                    .isEqualTo(given);
        }
    }

    /**
     * Algorithm 2: lines 2 and 3 give each I/O-intensive one the cores 1 to mu while there is a CPU-intensive one, and lines 8 to 10 the CPU-intensive ones
     * equal parts of all cores, by their own number.
     */
    @ParameterizedTest(name = "N = {0}, {1}")
    @CsvSource(delimiter = '|', textBlock = """
            # N | containers | of each container, in their order
            16  | wc     | 0-1 0-15
            16  | cw     | 0-15 0-1
            16  | wccwc  | 0-1 0-4 5-9 0-1 10-14
            16  | wwwwcc | 0-1 0-1 0-1 0-1 0-7 8-15
            4   | ccccw  | 0 1 2 3 0-1
            2   | cccw   | 0 1 0 0-1
            1   | cw     | 0 0
            """)
    void bothClasses(int cores, String containers, String given) {
        assertThat(allocated(CTBRA, cores, containers)).isEqualTo(given);
    }

    @Test
    void coresAreTakenByTheirNumbersWhateverLiesBeside() {
        NodeCores threads = new NodeCores(List.of(List.of(CoreSet.parse("0,4"), CoreSet.parse("1,5"))));

        assertThat(CTBRA.allocate(threads, classes("cc"), Map.of()).values())
                .containsExactly(CoreSet.parse("0-1"), CoreSet.parse("4-5"));
    }

    @Test
    void whoIsNotClassifiedIsInNeitherSet() {
        Map<String, WorkClass> classes = classes("cwc");
        classes.put("unknown", WorkClass.UNCLASSIFIED);

        assertThat(CTBRA.allocate(NodeCores.of(CoreSet.parse("0-7")), classes, Map.of()))
                .isEqualTo(CTBRA.allocate(NodeCores.of(CoreSet.parse("0-7")), classes("cwc"), Map.of()));
    }

    /** "Distributes isolated resources equally": where cores are more, parts are equal and nobody's is another's, and fewer than M cores are left. */
    @Test
    void computationsHaveEqualAndIsolatedParts() {
        for (long seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            int cores = 1 + random.nextInt(64);
            int computing = 1 + random.nextInt(80);
            int waiting = random.nextInt(10);
            Map<String, CoreSet> given = new Ctbra(1 + random.nextInt(4))
                    .allocate(
                            NodeCores.of(CoreSet.parse("0-" + (cores - 1))),
                            classes(COMPUTING.repeat(computing) + WAITING.repeat(waiting)),
                            Map.of());

            List<Integer> handedOut = new ArrayList<>();
            IntStream.range(0, computing)
                    .mapToObj(i -> given.get(COMPUTING + i))
                    .forEach(part -> handedOut.addAll(part.cores()));
            assertThat(given).as("seed %d", seed).hasSize(computing + waiting);
            assertThat(handedOut).hasSize(computing * Math.max(1, cores / computing));
            if (cores >= computing) {
                assertThat(new TreeSet<>(handedOut)).as("seed %d", seed).hasSameSizeAs(handedOut);
            }
        }
    }

    private static String allocated(Ctbra ctbra, int cores, String containers) {
        Map<String, WorkClass> classes = classes(containers);
        Map<String, CoreSet> given = ctbra.allocate(NodeCores.of(CoreSet.parse("0-" + (cores - 1))), classes, Map.of());
        return String.join(
                " ",
                classes.keySet().stream().map(id -> given.get(id).toString()).toList());
    }

    /** @param containers a letter each */
    private static Map<String, WorkClass> classes(String containers) {
        Map<String, WorkClass> classes = new LinkedHashMap<>();
        for (int i = 0; i < containers.length(); i++) {
            String letter = containers.substring(i, i + 1);
            classes.put(letter + i, letter.equals(COMPUTING) ? WorkClass.CPU_INTENSIVE : WorkClass.IO_INTENSIVE);
        }
        return classes;
    }
}
