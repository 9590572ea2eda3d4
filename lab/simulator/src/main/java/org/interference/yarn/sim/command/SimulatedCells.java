package org.interference.yarn.sim.command;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.optimum.Optimum;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.report.ReportPlan;
import org.interference.yarn.sim.report.RunMetrics;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.trace.KindInference;
import org.interference.yarn.sim.workload.trace.NodeShape;
import org.interference.yarn.sim.workload.trace.SwimReplay;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;

/** The cells of the report's simulator. Trains once per world and workload, when the first warm policy runs. Not thread-safe. */
final class SimulatedCells implements Cells {
    /** Beyond those of training, so that nothing is tested on what it was trained on. */
    private static final long SEEDS_FROM = 1000;

    /** No scheduler: what is possible. */
    private static final Choice OPTIMUM = new Choice(
            "optimum",
            "No scheduler: the shortest makespan there is, found by search of at most %d tasks, everything known beforehand."
                    .formatted(Optimum.MOST_TASKS));

    private static final Map<String, String> PATTERNS = Map.of(
            "dispatch",
                    "60 jobs, ten at once every five seconds, as published; on other than 32 slots with fewer jobs or larger ones.",
            "few", "Seven jobs of one task, equally long, all at once: for the policy optimum, on --nodes 2 --slots 2.",
            "many-jobs", "As dispatch, but on more slots both jobs and their tasks are more, by the root.",
            "poisson", "Independent arrivals that would keep 80 % of the slots in use without interference.",
            "poisson-50", "The same for 50 %.",
            "swim", "Parts of a Facebook day (SWIM's sample), made smaller for the same load.");

    private final Map<Trained, Knowledge> trained = new HashMap<>();

    private record Trained(ReportPlan plan, int past) {}

    @Override
    public List<World> worlds() {
        return Worlds.all();
    }

    @Override
    public List<Choice> policies() {
        return Stream.concat(
                        Policies.all().stream().map(policy -> new Choice(policy.name(), policy.describes())),
                        Stream.of(OPTIMUM))
                .toList();
    }

    @Override
    public List<KnownPattern> patterns(List<SimTaskKind> kinds) {
        SwimReplay swim = new SwimReplay(new KindInference(kinds, NodeShape.DEFAULT));
        return Stream.concat(Patterns.of(kinds).stream(), Stream.of(swim))
                .map(pattern -> new KnownPattern(pattern, PATTERNS.getOrDefault(pattern.name(), "")))
                .toList();
    }

    @Override
    public String baseline() {
        return Policies.all().get(0).name();
    }

    @Override
    public RunMetrics run(Cell cell, long seed) throws BadInputException {
        World world = cell.world();
        ReportPlan plan = plan(cell, cell.pattern());
        if (cell.policy().equals(OPTIMUM.name())) {
            try {
                return plan.optimum(world, SEEDS_FROM + seed);
            } catch (IllegalArgumentException e) {
                throw new BadInputException("The policy optimum cannot be had here: " + e.getMessage(), e);
            }
        }
        Policy policy = Policies.named(cell.policy());
        Knowledge known = policy.isWarm()
                ? trained.computeIfAbsent(new Trained(plan(cell, cell.past()), ReportPlan.past(seed)), key -> key.plan()
                        .train(world, key.past()))
                : Knowledge.NONE;
        return plan.run(world, policy, SEEDS_FROM + seed, known);
    }

    private static ReportPlan plan(Cell cell, Pattern pattern) {
        return new ReportPlan(
                "simulate",
                List.of(cell.world()),
                List.of(),
                pattern,
                new ClusterShape(cell.nodes(), cell.slotsPerNode()),
                List.of());
    }
}
