package org.interference.yarn.sim.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.RunMetrics;

/**
 * The metrics of one world: for each policy, in the order of the question, one entry per seed. Immutable; the baseline is among
 * the policies.
 */
record SimulationResults(String world, String baseline, Map<String, List<RunMetrics>> runs) {
    Set<String> policies() {
        return runs.keySet();
    }

    /** Returns whether there are enough seeds for an interval. */
    boolean hasIntervals() {
        return runs.get(baseline).size() > 1;
    }

    double mean(String policy, Metric metric) {
        return Interval.of(values(policy, metric)).mean();
    }

    /** Returns the change from the baseline, in per cent and paired by seed; empty where there is nothing to compare. */
    Optional<Interval> change(String policy, Metric metric) {
        if (policy.equals(baseline) || !metric.isCompared()) {
            return Optional.empty();
        }
        double[] values = values(policy, metric);
        double[] stock = values(baseline, metric);
        double[] changes = IntStream.range(0, values.length)
                .mapToDouble(i -> 100 * (values[i] / stock[i] - 1))
                .toArray();
        return Optional.of(Interval.of(changes)).filter(interval -> Double.isFinite(interval.mean()));
    }

    private double[] values(String policy, Metric metric) {
        return runs.get(policy).stream().mapToDouble(metric.of()).toArray();
    }
}
