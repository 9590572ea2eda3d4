package org.interference.yarn.sim.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The runs of {@link MeasureElastic} by world, policy and seed. Not thread-safe. */
final class ElasticRuns {
    private static final String SEPARATOR = "\t";
    private static final int FIRST_VALUE = 3;

    private final Map<String, Map<Long, ElasticRun>> cells = new TreeMap<>();

    /** Reads what {@link #line} wrote. */
    static ElasticRuns of(List<String> lines) {
        ElasticRuns runs = new ElasticRuns();
        for (String line : lines) {
            String[] fields = line.split(SEPARATOR, -1);
            runs.add(fields[0], fields[1], Long.parseLong(fields[2]), ElasticRun.of(fields, FIRST_VALUE));
        }
        return runs;
    }

    static String line(String world, String policy, long seed, ElasticRun run) {
        return String.join(SEPARATOR, world, policy, Long.toString(seed), run.text());
    }

    void add(String world, String policy, long seed, ElasticRun run) {
        cells.computeIfAbsent(world + SEPARATOR + policy, cell -> new TreeMap<>())
                .put(seed, run);
    }

    boolean has(String world, String policy, long seed) {
        return of(world, policy).containsKey(seed);
    }

    private Map<Long, ElasticRun> of(String world, String policy) {
        return cells.getOrDefault(world + SEPARATOR + policy, Map.of());
    }

    /** Returns the seeds that both policies have a run of. */
    List<Long> seeds(String world, String policy, String other) {
        List<Long> seeds = new ArrayList<>(of(world, policy).keySet());
        seeds.retainAll(of(world, other).keySet());
        return seeds;
    }

    ElasticRun run(String world, String policy, long seed) {
        return of(world, policy).get(seed);
    }
}
