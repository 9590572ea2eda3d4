package org.interference.yarn.sim.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.world.World;

/**
 * The metrics of runs, by plan, world, policy and seed. Not thread-safe.
 *
 * <p>As text it is a line for each run; the lines of several processes, each with its part of the seeds, together are the report's.
 */
public final class Runs {
    private static final String SEPARATOR = "\t";
    private static final int FIRST_VALUE = 4;

    private final Map<String, Map<Long, RunMetrics>> cells = new LinkedHashMap<>();

    /** Returns the runs of all seeds of {@code plan}. */
    public static Runs of(ReportPlan plan) {
        Runs runs = new Runs();
        runs.complete(plan, 0, 1, line -> {});
        return runs;
    }

    /**
     * Runs what is missing of the seeds of {@code plan} whose position is {@code part} modulo {@code parts}.
     *
     * @param done called with a line after every run
     */
    void complete(ReportPlan plan, int part, int parts, Consumer<String> done) {
        complete(plan, ReportPlan::train, part, parts, done);
    }

    /**
     * As above.
     *
     * @param training asked once for each past of a world in which a warm policy runs
     */
    void complete(ReportPlan plan, Training training, int part, int parts, Consumer<String> done) {
        for (World world : plan.worlds()) {
            Map<Integer, Knowledge> known = new HashMap<>();
            for (int i = part; i < plan.seeds().size(); i += parts) {
                long seed = plan.seeds().get(i);
                for (Policy policy : plan.policies()) {
                    String cell = plan.name() + SEPARATOR + world.name() + SEPARATOR + policy.name();
                    if (cells.getOrDefault(cell, Map.of()).containsKey(seed)) {
                        continue;
                    }
                    Knowledge before = policy.isWarm()
                            ? known.computeIfAbsent(ReportPlan.past(i), past -> training.of(plan, world, past))
                            : Knowledge.NONE;
                    RunMetrics metrics = plan.run(world, policy, seed, before);
                    put(cell, seed, metrics);
                    done.accept(line(cell, seed, metrics));
                }
            }
        }
    }

    /** Reads what {@code done} got. */
    public static Runs ofLines(List<String> lines) {
        Runs runs = new Runs();
        for (String line : lines) {
            String[] fields = line.split(SEPARATOR, -1);
            if (fields.length <= FIRST_VALUE) {
                throw new IllegalArgumentException("not a run: '" + line + "'");
            }
            double[] values = new double[fields.length - FIRST_VALUE];
            for (int i = 0; i < values.length; i++) {
                values[i] = Double.parseDouble(fields[FIRST_VALUE + i]);
            }
            String cell = fields[0] + SEPARATOR + fields[1] + SEPARATOR + fields[2];
            runs.put(cell, Long.parseLong(fields[3]), RunMetrics.of(values));
        }
        return runs;
    }

    /** Returns the metrics of a cell in the order of the plan's seeds. */
    List<RunMetrics> cell(ReportPlan plan, String world, String policy) {
        Map<Long, RunMetrics> cell = cells.getOrDefault(plan.name() + SEPARATOR + world + SEPARATOR + policy, Map.of());
        List<RunMetrics> inOrder = new ArrayList<>();
        for (long seed : plan.seeds()) {
            RunMetrics metrics = cell.get(seed);
            if (metrics == null) {
                throw new IllegalStateException("no run of %s in %s with seed %d".formatted(policy, world, seed));
            }
            inOrder.add(metrics);
        }
        return inOrder;
    }

    /** Returns whether every policy has a run for every seed in {@code world}. */
    boolean covers(ReportPlan plan, World world) {
        return covered(plan, world).equals(plan.seeds());
    }

    /** Returns the seeds for which every policy has a run in {@code world}. */
    List<Long> covered(ReportPlan plan, World world) {
        return plan.seeds().stream()
                .filter(seed -> plan.policies().stream()
                        .map(policy -> plan.name() + SEPARATOR + world.name() + SEPARATOR + policy.name())
                        .allMatch(cell -> cells.getOrDefault(cell, Map.of()).containsKey(seed)))
                .toList();
    }

    private void put(String cell, long seed, RunMetrics metrics) {
        cells.computeIfAbsent(cell, name -> new LinkedHashMap<>()).put(seed, metrics);
    }

    private static String line(String cell, long seed, RunMetrics metrics) {
        StringBuilder line = new StringBuilder(cell).append(SEPARATOR).append(seed);
        for (double value : metrics.values()) {
            line.append(SEPARATOR).append(value);
        }
        return line.toString();
    }
}
