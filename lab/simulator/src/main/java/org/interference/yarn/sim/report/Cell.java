package org.interference.yarn.sim.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Policy;

/** One policy in one world, beside the others: what a row of the report is made of. */
final class Cell {
    private static final double PER_CENT = 100;

    private final Runs runs;
    private final ReportPlan plan;
    private final String world;
    private final Policy policy;

    Cell(Runs runs, ReportPlan plan, String world, Policy policy) {
        this.runs = runs;
        this.plan = plan;
        this.world = world;
        this.policy = policy;
    }

    /** Returns the mean over the seeds. */
    Interval mean(ToDoubleFunction<RunMetrics> metric) {
        return Interval.of(values(policy.name(), metric));
    }

    /** Returns the sum over the seeds. */
    long total(ToDoubleFunction<RunMetrics> metric) {
        return Math.round(metrics(policy.name()).stream().mapToDouble(metric).sum());
    }

    /** Returns the worst of all seeds. */
    double worst(ToDoubleFunction<RunMetrics> metric) {
        return metrics(policy.name()).stream().mapToDouble(metric).max().orElseThrow();
    }

    /** Returns how much less than {@code other} it took, in per cent of {@code other}, paired by seed; negative is worse. */
    Interval gain(String other, ToDoubleFunction<RunMetrics> metric) {
        return paired(other, (own, theirs) -> PER_CENT * (theirs - own) / theirs, metric);
    }

    /** Returns which of {@code others} that were run has the least mean of {@code metric} here; empty if none was. */
    Optional<String> least(List<String> others, ToDoubleFunction<RunMetrics> metric) {
        return others.stream().filter(this::isInPlan).min(Comparator.comparingDouble(other -> Interval.of(
                        values(other, metric))
                .mean()));
    }

    /** Returns by how many per cent its makespan exceeds that of the greedy policy of the same freedom. */
    Optional<Interval> regret() {
        return policy.greedy()
                .filter(this::isInPlan)
                .map(other -> paired(other, (own, theirs) -> PER_CENT * (own - theirs) / theirs, RunMetrics::makespan));
    }

    /** Returns the {@link CapturedFraction} of {@code metric} between the placebo and the greedy policy of the same freedom. */
    Optional<Interval> captured(ToDoubleFunction<RunMetrics> metric) {
        Optional<String> placebo = policy.placebo().filter(this::isInPlan);
        Optional<String> greedy = policy.greedy().filter(this::isInPlan);
        if (placebo.isEmpty() || greedy.isEmpty()) {
            return Optional.empty();
        }
        return CapturedFraction.of(
                values(placebo.get(), metric), values(policy.name(), metric), values(greedy.get(), metric));
    }

    private boolean isInPlan(String other) {
        return plan.policies().stream().anyMatch(candidate -> candidate.name().equals(other));
    }

    private double[] values(String name, ToDoubleFunction<RunMetrics> metric) {
        return metrics(name).stream().mapToDouble(metric).toArray();
    }

    private List<RunMetrics> metrics(String name) {
        return runs.cell(plan, world, name);
    }

    private Interval paired(String other, Pairing pairing, ToDoubleFunction<RunMetrics> metric) {
        List<RunMetrics> own = metrics(policy.name());
        List<RunMetrics> theirs = metrics(other);
        double[] pairs = new double[own.size()];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = pairing.of(metric.applyAsDouble(own.get(i)), metric.applyAsDouble(theirs.get(i)));
        }
        return Interval.of(pairs);
    }

    private interface Pairing {
        double of(double own, double theirs);
    }
}
