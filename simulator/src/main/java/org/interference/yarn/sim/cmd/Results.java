package org.interference.yarn.sim.cmd;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The measures of one world: for each policy, in the order of the question, one entry per seed. Immutable; the baseline is among
 * the policies.
 */
record Results(String world, String baseline, Map<String, List<Map<Metric, Double>>> runs) {
    Set<String> policies() {
        return runs.keySet();
    }

    double mean(String policy, Metric metric) {
        return values(policy, metric).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /** Returns how the metric differs from the baseline's; empty for the baseline, and where no change can be told. */
    Optional<Change> change(String policy, Metric metric) {
        if (policy.equals(baseline) || !metric.isCompared()) {
            return Optional.empty();
        }
        Change change = Change.between(values(policy, metric), values(baseline, metric));
        return Double.isFinite(change.mean()) ? Optional.of(change) : Optional.empty();
    }

    private List<Double> values(String policy, Metric metric) {
        return runs.get(policy).stream().map(run -> run.get(metric)).toList();
    }
}
