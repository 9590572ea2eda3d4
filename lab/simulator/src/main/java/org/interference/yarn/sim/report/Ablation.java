package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.World;

/**
 * Which stage of ours loses what knowing everything would gain: a ladder on which one stage after the other is replaced by the truth. A
 * stage loses what the rung with its replacement gains over the rung below. Not thread-safe.
 */
final class Ablation {
    private static final List<String> WORLDS =
            List.of("water-heavy", "curves-heavy", "curves-destructive", "table-destructive");
    private static final String BASELINE = "fair";

    /**
     * One rung.
     *
     * @param training what a cluster in a world knows before the test
     */
    private record Rung(String name, ReportPlan plan, Training training) {}

    private final ReportPlan main;
    private final List<Rung> rungs;

    /** @param main the plan of the report, in which its seeds, shape and pattern are, and the runs of what is not replaced */
    Ablation(ReportPlan main) {
        this.main = main;
        List<World> worlds = main.worlds().stream()
                .filter(world -> WORLDS.contains(world.name()))
                .toList();
        List<World> exact = worlds.stream().map(World::measuredExactly).toList();
        rungs = List.of(
                rung("as it is", worlds, "ours-fair", ReportPlan::train),
                rung("exact counters", exact, "ours-fair", ReportPlan::train),
                rung("exact counters, profiles of tasks alone", exact, "ours-fair", Ablation::profilesAlone),
                rung("true slowdowns", worlds, "greedy-match", ReportPlan::train),
                rung("true slowdowns, leaving", worlds, "greedy-leave", ReportPlan::train));
    }

    private Rung rung(String name, List<World> worlds, String policy, Training training) {
        boolean inMain = worlds.stream().allMatch(main.worlds()::contains)
                && main.policies().stream().anyMatch(one -> one.name().equals(policy));
        String plan = inMain ? main.name() : "Ablation: " + name;
        List<Policy> policies = List.of(Policies.named(policy));
        return new Rung(
                name, new ReportPlan(plan, worlds, policies, main.pattern(), main.shape(), main.seeds()), training);
    }

    /** The model of the world, and profiles of every application by its own, from a life in which nobody is slowed down. */
    private static Knowledge profilesAlone(ReportPlan plan, World world, int past) {
        Knowledge alone = Knowledge.NONE;
        for (long seed : ReportPlan.trainingSeeds(past)) {
            List<SimJob> jobs =
                    plan.pattern().jobs(new SplittableRandom(seed), plan.shape().slots());
            alone = Simulation.run(new Simulation.Setup(
                            world.withoutContention(), jobs, Policies.learner(), plan.shape(), seed, alone))
                    .learnt();
        }
        Knowledge trained = plan.train(world, past);
        return new Knowledge(alone.profiles(), trained.model(), trained.kept());
    }

    /** Runs what is missing; the parameters are those of {@link Runs#complete}. */
    void complete(Runs runs, int part, int parts, Consumer<String> done) {
        for (Rung rung : rungs) {
            runs.complete(rung.plan(), rung.training(), part, parts, done);
        }
    }

    /** Returns {@code <world>.<rung>.<figure>}: the gain over stock Fair, as a fraction; rungs whose runs are not complete are absent. */
    ObjectNode json(Runs runs) {
        ObjectNode worlds = JsonNodeFactory.instance.objectNode();
        for (World world : rungs.get(0).plan().worlds()) {
            ObjectNode ladder = worlds.putObject(world.name());
            for (Rung rung : rungs) {
                if (runs.covers(rung.plan(), world)) {
                    ObjectNode figures = ladder.putObject(rung.name());
                    figure(figures, "makespan_gain_vs_fair", runs, rung, world, RunMetrics::makespan);
                    figure(figures, "turnaround_gain_vs_fair", runs, rung, world, RunMetrics::turnaroundMean);
                    figure(figures, "slowdown_gain_vs_fair", runs, rung, world, RunMetrics::slowdownMean);
                }
            }
        }
        return worlds;
    }

    private void figure(
            ObjectNode figures, String name, Runs runs, Rung rung, World world, ToDoubleFunction<RunMetrics> metric) {
        String policy = rung.plan().policies().get(0).name();
        double[] own = values(runs.cell(rung.plan(), world.name(), policy), metric);
        double[] fair = values(runs.cell(main, world.name(), BASELINE), metric);
        Interval gain = Interval.of(IntStream.range(0, own.length)
                .mapToDouble(seed -> (fair[seed] - own[seed]) / fair[seed])
                .toArray());
        EvaluationJson.put(figures, name, gain, 1, own.length);
    }

    private static double[] values(List<RunMetrics> runs, ToDoubleFunction<RunMetrics> metric) {
        return runs.stream().mapToDouble(metric).toArray();
    }
}
