package org.interference.yarn.sim.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.policy.ElasticPolicies;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.policy.SizeHistory;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;

/**
 * Measures what nodes gain that have other sizes than they are configured with. {@code run PART PARTS FIRST-SEED SEEDS WORLDS OUTPUT} runs a part of the seeds in some
 * worlds, comma-separated, or {@code all}, and adds a line to OUTPUT for each run, leaving out those that it has; {@code render JSON COMMAND MACHINE RUNS...}
 * puts the section {@code simulation} into the file.
 */
public final class MeasureElastic {
    private static final ClusterShape SHAPE = new ClusterShape(8, 4);
    private static final List<String> OTHERS = List.of("fair", "capacity", "ours-fair", "ours-capacity");

    private MeasureElastic() {}

    public static void main(String[] args) throws IOException {
        RunOrRender.main(args, MeasureElastic::run, MeasureElastic::render);
    }

    private static void run(String[] args) throws IOException {
        int part = Integer.parseInt(args[1]);
        int parts = Integer.parseInt(args[2]);
        long first = Long.parseLong(args[3]);
        int count = Integer.parseInt(args[4]);
        Path output = Path.of(args[6]);
        List<World> worlds = args[5].equals("all")
                ? Worlds.elastic()
                : Stream.of(args[5].split(",")).map(Worlds::named).toList();
        ElasticRuns runs = ElasticRuns.of(Files.exists(output) ? Files.readAllLines(output) : List.of());
        for (World world : worlds) {
            Map<Integer, Knowledge> known = new HashMap<>();
            for (int i = part; i < count; i += parts) {
                run(world, first + i, ReportPlan.past(i), known, runs, output);
            }
        }
    }

    private static void run(
            World world, long seed, int past, Map<Integer, Knowledge> known, ElasticRuns runs, Path output)
            throws IOException {
        ReportPlan plan = new ReportPlan(
                "elastic", List.of(world), List.of(), Patterns.all().get(0), SHAPE, List.of(seed));
        for (Policy policy : policies(new SizeHistory())) {
            boolean isOurs = policy.name().equals(ElasticPolicies.OURS);
            boolean historyIsMissing = isOurs && !runs.has(world.name(), ElasticPolicies.PLACEBO, seed);
            if (runs.has(world.name(), policy.name(), seed) && !historyIsMissing) {
                continue;
            }
            Knowledge before =
                    policy.isWarm() ? known.computeIfAbsent(past, same -> plan.train(world, same)) : Knowledge.NONE;
            ElasticRun run = ElasticRun.of(
                    Simulation.run(new Simulation.Setup(world, plan.jobs(seed), policy, SHAPE, seed, before)),
                    SHAPE.nodes());
            if (!runs.has(world.name(), policy.name(), seed)) {
                RunOrRender.append(output, ElasticRuns.line(world.name(), policy.name(), seed, run));
            }
        }
    }

    private static List<Policy> policies(SizeHistory history) {
        List<Policy> policies =
                new ArrayList<>(OTHERS.stream().map(Policies::named).toList());
        policies.addAll(ElasticPolicies.all(history));
        return policies;
    }

    private static void render(String[] args) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 4; i < args.length; i++) {
            lines.addAll(Files.readAllLines(Path.of(args[i])));
        }
        EvaluationFile.put(
                Path.of(args[1]),
                "simulation",
                ElasticJson.of(
                        ElasticRuns.of(lines),
                        Worlds.elastic().stream().map(World::name).toList(),
                        policies(new SizeHistory()).stream().map(Policy::name).toList()),
                new EvaluationFile.Made(
                        args[2], args[3], LocalDate.now(ZoneOffset.UTC).toString()));
    }
}
