package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.herd.OltpExamples;
import org.interference.yarn.sim.herd.StaircaseFigures;
import org.interference.yarn.sim.policy.RelocatingPolicies;
import org.interference.yarn.sim.policy.RelocationHistory;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;

/**
 * Measures what relocation gains, work that it loses counted. {@code run PART PARTS FIRST-SEED SEEDS OUTPUT} runs a part of the seeds and adds a line to OUTPUT for each run,
 * leaving out those that it has; {@code render JSON COMMAND MACHINE RUNS...} writes the file.
 */
public final class MeasureRelocation {
    private static final ClusterShape SHAPE = new ClusterShape(8, 4);
    private static final String DESTRUCTIVE = "water-destructive";
    private static final String MILD = "water-mild";
    private static final int STAIRCASES = 100;

    private MeasureRelocation() {}

    public static void main(String[] args) throws IOException {
        RunOrRender.main(args, MeasureRelocation::run, MeasureRelocation::render);
    }

    private static void run(String[] args) throws IOException {
        int part = Integer.parseInt(args[1]);
        int parts = Integer.parseInt(args[2]);
        long first = Long.parseLong(args[3]);
        int count = Integer.parseInt(args[4]);
        Path output = Path.of(args[5]);
        RelocationRuns runs = RelocationRuns.of(Files.exists(output) ? Files.readAllLines(output) : List.of());
        for (String world : List.of(DESTRUCTIVE, MILD)) {
            Map<Integer, Knowledge> known = new HashMap<>();
            for (int i = part; i < count; i += parts) {
                run(Worlds.named(world), first + i, ReportPlan.past(i), known, runs, output);
            }
        }
    }

    private static void run(
            World world, long seed, int past, Map<Integer, Knowledge> known, RelocationRuns runs, Path output) {
        ReportPlan plan = new ReportPlan(
                "relocation", List.of(world), List.of(), Patterns.all().get(0), SHAPE, List.of(seed));
        RelocationHistory history = new RelocationHistory();
        for (Policy policy : List.of(RelocatingPolicies.without(), RelocatingPolicies.ours(history))) {
            if (runs.has(world.name(), policy.name(), seed)) {
                continue;
            }
            Knowledge before = known.computeIfAbsent(past, same -> plan.train(world, same));
            RelocationRun run = RelocationRun.of(
                    Simulation.run(new Simulation.Setup(world, plan.jobs(seed), policy, SHAPE, seed, before)), history);
            RunOrRender.append(output, RelocationRuns.line(world.name(), policy.name(), seed, run));
        }
    }

    private static void render(String[] args) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 4; i < args.length; i++) {
            lines.addAll(Files.readAllLines(Path.of(args[i])));
        }
        ObjectNode root = new ObjectMapper()
                .createObjectNode()
                .put("name", "relocation")
                .put("command", args[2])
                .put("machine", args[3])
                .put("date", LocalDate.now(ZoneOffset.UTC).toString());
        ObjectNode results =
                RelocationRuns.of(lines).figures(DESTRUCTIVE, MILD).put("wrong_gates", OltpExamples.wrong());
        results.set("staircase", StaircaseFigures.of(1, STAIRCASES));
        root.set("results", results);
        Files.writeString(Path.of(args[1]), root.toPrettyString() + "\n");
    }
}
