package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.world.World;

/**
 * What {@link EvaluationFile} has of the simulation: {@code <world>.<figure>} of our FairScheduler by the learned model. Gains are
 * fractions of the other policy's, positive is better, paired by seed. The regimes {@code mild}, {@code heavy} and {@code destructive} are those of
 * one family of worlds, whose truth has another form than any predictor; those of the others have the family in their name. Pure.
 */
final class EvaluationJson {
    /** Chosen before the seeds of the report were drawn: bin/lab quality uses it, too. */
    private static final String FAMILY = "curves-";

    private static final String OURS = "ours-fair";
    private static final double PER_CENT = 100;

    private EvaluationJson() {}

    static ObjectNode of(ReportPlan plan, Runs runs) {
        Policy ours = Policies.named(OURS);
        ObjectNode worlds = JsonNodeFactory.instance.objectNode();
        for (World world : plan.worlds()) {
            Cell cell = new Cell(runs, plan, world.name(), ours);
            add(
                    worlds.putObject(world.name().replaceFirst("^" + FAMILY, "")),
                    cell,
                    plan.seeds().size());
        }
        return worlds;
    }

    private static void add(ObjectNode figures, Cell cell, int seeds) {
        gain(figures, "makespan_gain_vs_fair", cell, "fair", RunMetrics::makespan, seeds);
        gain(figures, "makespan_gain_vs_capacity", cell, "capacity", RunMetrics::makespan, seeds);
        gain(figures, "makespan_gain_vs_placebo", cell, "placebo-match", RunMetrics::makespan, seeds);
        gain(figures, "turnaround_gain_vs_fair", cell, "fair", RunMetrics::turnaroundMean, seeds);
        gain(figures, "turnaround_gain_vs_capacity", cell, "capacity", RunMetrics::turnaroundMean, seeds);
        gain(figures, "p95_slowdown_gain_vs_fair", cell, "fair", RunMetrics::slowdownP95, seeds);
        put(
                figures,
                "density_gain_vs_fair",
                cell.gain("fair", RunMetrics::density).negated(),
                PER_CENT,
                seeds);
        captured(figures, "captured_fraction", cell, RunMetrics::makespan, seeds);
        captured(figures, "captured_fraction_of_turnaround", cell, RunMetrics::turnaroundMean, seeds);
        cell.regret().ifPresent(regret -> put(figures, "regret_vs_clairvoyant", regret, PER_CENT, seeds));
        figures.put("failed_jobs", cell.total(RunMetrics::failed));
        figures.put("starved_jobs", cell.total(RunMetrics::starved));
    }

    private static void gain(
            ObjectNode figures, String name, Cell cell, String other, ToDoubleFunction<RunMetrics> metric, int seeds) {
        put(figures, name, cell.gain(other, metric), PER_CENT, seeds);
    }

    private static void captured(
            ObjectNode figures, String name, Cell cell, ToDoubleFunction<RunMetrics> metric, int seeds) {
        cell.captured(metric)
                .ifPresentOrElse(fraction -> put(figures, name, fraction, 1, seeds), () -> figures.putObject(name)
                        .putNull("mean")
                        .put("why", "knowing everything gains nothing clear over the placebo"));
    }

    /** @param unit what is one in the file */
    static void put(ObjectNode figures, String name, Interval interval, double unit, int seeds) {
        figures.set(name, ReportFigures.of(interval.in(unit)).put("seeds", seeds));
    }
}
