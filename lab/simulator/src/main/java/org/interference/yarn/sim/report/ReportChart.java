package org.interference.yarn.sim.report;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.world.World;

/** The chart beside a world's table: each policy's gain over the first one. */
final class ReportChart {
    private ReportChart() {}

    static String of(ReportPlan plan, Runs runs, World world) {
        String baseline = plan.policies().get(0).name();
        List<ForestPlot.Row> rows = plan.policies().stream()
                .skip(1)
                .map(policy -> row(new Cell(runs, plan, world.name(), policy), policy, baseline))
                .toList();
        return new ForestPlot(
                        "%s: gain over stock Fair, %d seeds, 95 %% intervals"
                                .formatted(world.name(), plan.seeds().size()),
                        "per cent less time; right is better",
                        List.of("makespan", "mean turnaround"),
                        rows)
                .svg();
    }

    private static ForestPlot.Row row(Cell cell, Policy policy, String baseline) {
        return new ForestPlot.Row(
                policy.name(),
                List.of(gain(cell, baseline, RunMetrics::makespan), gain(cell, baseline, RunMetrics::turnaroundMean)));
    }

    /** Where nothing finished, there is no time to compare. */
    private static Optional<Interval> gain(Cell cell, String baseline, ToDoubleFunction<RunMetrics> metric) {
        return Optional.of(cell.gain(baseline, metric))
                .filter(gain -> Double.isFinite(gain.low()) && Double.isFinite(gain.high()));
    }
}
