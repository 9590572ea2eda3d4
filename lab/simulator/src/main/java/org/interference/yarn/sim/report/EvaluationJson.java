package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.world.World;

/**
 * What {@link EvaluationFile} has of the simulation: {@code <world>.<figure>} of our FairScheduler by the learned model, and {@code
 * capacity.<world>.<figure>} of our CapacityScheduler. Gains are
 * fractions of the other policy's, positive is better, paired by seed. The regimes {@code mild}, {@code heavy} and {@code destructive} are those of
 * one family of worlds, whose truth has another form than any predictor; those of the others have the family in their name. Pure.
 */
final class EvaluationJson {
    /** Chosen before the seeds of the report were drawn: bin/lab quality uses it, too. */
    private static final String FAMILY = "curves-";

    private static final Policy INSTALLED = Policies.named("ours-fair-installed");
    private static final double PER_CENT = 100;

    private EvaluationJson() {}

    /** Whose figures they are: our scheduler, the one that it is made of, what knows nothing, and what decides nothing. */
    private enum Ours {
        FAIR("ours-fair", "fair", "placebo-match", "shadow-fair"),
        CAPACITY("ours-capacity", "capacity", "placebo-capacity", "shadow-capacity");

        private final String policy;
        private final String parent;
        private final String placebo;
        private final String shadow;

        Ours(String policy, String parent, String placebo, String shadow) {
            this.policy = policy;
            this.parent = parent;
            this.placebo = placebo;
            this.shadow = shadow;
        }
    }

    /** Returns all plans' figures: the first one's as they are, those of the others by the names of their patterns. */
    static ObjectNode of(List<ReportPlan> plans, Runs runs) {
        ObjectNode all = ofBoth(plans.get(0), runs);
        for (ReportPlan plan : plans.subList(1, plans.size())) {
            if (!plan.pattern().equals(plans.get(0).pattern())) {
                all.set(plan.pattern().name(), ofBoth(plan, runs));
            }
        }
        return all;
    }

    private static ObjectNode ofBoth(ReportPlan plan, Runs runs) {
        int told = 0;
        int kept = 0;
        Map<Ours, ObjectNode> figures = new EnumMap<>(Ours.class);
        for (Ours ours : Ours.values()) {
            ObjectNode worlds = of(plan, runs, ours);
            for (World world : plan.worlds()) {
                ObjectNode saving = saving(plan, runs, world, ours);
                worlds.withObjectProperty(regime(world)).set("shadow", saving);
                told++;
                kept += saving.path("within").asBoolean() ? 1 : 0;
            }
            figures.put(ours, worlds);
        }
        ObjectNode all = figures.get(Ours.FAIR);
        all.set("capacity", figures.get(Ours.CAPACITY));
        return all.put("shadow_saving_within_interval", ReportFigures.rounded((double) kept / Math.max(1, told)));
    }

    /** Returns the figures of our FairScheduler. */
    static ObjectNode of(ReportPlan plan, Runs runs) {
        return of(plan, runs, Ours.FAIR);
    }

    private static ObjectNode of(ReportPlan plan, Runs runs, Ours ours) {
        ObjectNode worlds = JsonNodeFactory.instance.objectNode();
        for (World world : plan.worlds()) {
            Cell cell = new Cell(runs, plan, world.name(), Policies.named(ours.policy));
            Cell stock = new Cell(runs, plan, world.name(), Policies.named(ours.parent));
            ObjectNode figures = worlds.putObject(regime(world));
            int seeds = plan.seeds().size();
            add(figures, cell, ours, seeds);
            if (ours == Ours.FAIR && plan.policies().contains(INSTALLED)) {
                Cell installed = new Cell(runs, plan, world.name(), INSTALLED);
                ObjectNode beside = figures.putObject("installed");
                gain(beside, "makespan_gain_vs_fair", installed, "fair", RunMetrics::makespan, seeds);
                gain(beside, "turnaround_gain_vs_fair", installed, "fair", RunMetrics::turnaroundMean, seeds);
            }
            figures.put("starved_jobs_of_stock", stock.total(RunMetrics::starved));
        }
        return worlds;
    }

    private static String regime(World world) {
        return world.name().replaceFirst("^" + FAMILY, "");
    }

    /**
     * Returns what shadow says that on would save of all tasks' run time, over all seeds, with its 95 % interval, and what on then saved, in seconds.
     */
    private static ObjectNode saving(ReportPlan plan, Runs runs, World world, Ours ours) {
        List<RunMetrics> shadow = runs.cell(plan, world.name(), ours.shadow);
        List<RunMetrics> on = runs.cell(plan, world.name(), ours.policy);
        double told = 0;
        double variance = 0;
        double happened = 0;
        for (int i = 0; i < shadow.size(); i++) {
            told += shadow.get(i).saving();
            variance += shadow.get(i).savingHalfWidth() * shadow.get(i).savingHalfWidth();
            happened += shadow.get(i).taskSeconds() - on.get(i).taskSeconds();
        }
        double half = Math.sqrt(variance);
        return JsonNodeFactory.instance
                .objectNode()
                .put("told", ReportFigures.rounded(told))
                .put("half_width", ReportFigures.rounded(half))
                .put("happened", ReportFigures.rounded(happened))
                .put("within", Math.abs(happened - told) <= half);
    }

    private static void add(ObjectNode figures, Cell cell, Ours ours, int seeds) {
        gain(figures, "makespan_gain_vs_fair", cell, "fair", RunMetrics::makespan, seeds);
        gain(figures, "makespan_gain_vs_capacity", cell, "capacity", RunMetrics::makespan, seeds);
        gain(figures, "makespan_gain_vs_placebo", cell, ours.placebo, RunMetrics::makespan, seeds);
        gain(figures, "turnaround_gain_vs_fair", cell, "fair", RunMetrics::turnaroundMean, seeds);
        gain(figures, "turnaround_gain_vs_capacity", cell, "capacity", RunMetrics::turnaroundMean, seeds);
        gain(figures, "p95_slowdown_gain_vs_" + ours.parent, cell, ours.parent, RunMetrics::slowdownP95, seeds);
        put(
                figures,
                "density_gain_vs_" + ours.parent,
                cell.gain(ours.parent, RunMetrics::density).negated(),
                PER_CENT,
                seeds);
        fewerSlots(figures, cell, ours, seeds);
        if (ours == Ours.FAIR) {
            captured(figures, "captured_fraction", cell, RunMetrics::makespan, seeds);
            captured(figures, "captured_fraction_of_turnaround", cell, RunMetrics::turnaroundMean, seeds);
        }
        cell.regret().ifPresent(regret -> put(figures, "regret_vs_clairvoyant", regret, PER_CENT, seeds));
        figures.put("failed_jobs", cell.total(RunMetrics::failed));
        figures.put("starved_jobs", cell.total(RunMetrics::starved));
    }

    /** The stock scheduler on nodes with whatever constant number of slots is best in this world, as who tries them all would have it. */
    private static void fewerSlots(ObjectNode figures, Cell cell, Ours ours, int seeds) {
        List<String> sizes = List.of(ours.parent, ours.parent + "-3", ours.parent + "-2", ours.parent + "-1");
        if (cell.least(sizes.subList(1, sizes.size()), RunMetrics::makespan).isPresent()) {
            String best = cell.least(sizes, RunMetrics::makespan).orElseThrow();
            figures.put("best_slots", best);
            gain(figures, "makespan_gain_vs_best_slots", cell, best, RunMetrics::makespan, seeds);
            gain(figures, "turnaround_gain_vs_best_slots", cell, best, RunMetrics::turnaroundMean, seeds);
        }
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
