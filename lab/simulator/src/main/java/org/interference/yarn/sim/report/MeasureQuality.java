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
import java.util.stream.LongStream;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.report.Comparison.Roles;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;

/**
 * Measures what the project's schedulers gain on clusters of 100 and 1,000 nodes. {@code run PART PARTS OUTPUT} runs a part of the
 * seeds and adds a line to OUTPUT for each run, leaving out those that it has; {@code render JSON MACHINE RUNS...} writes the file.
 *
 * <p>What was learnt before is what eight nodes have learnt in three lives, as in the published report: the clusters differ in size
 * and in nothing else.
 */
public final class MeasureQuality {
    private static final String COMMAND = "bin/lab quality";
    private static final int SLOTS_PER_NODE = 4;
    private static final ClusterShape TRAINED_ON = new ClusterShape(8, SLOTS_PER_NODE);
    private static final ClusterShape LARGE = new ClusterShape(100, SLOTS_PER_NODE);
    private static final ClusterShape VERY_LARGE = new ClusterShape(1000, SLOTS_PER_NODE);
    /** The published dispatch: as many jobs as there, with as many more tasks as there are more slots. */
    private static final Pattern LARGER_JOBS = Patterns.all().get(0);

    private static final Pattern MORE_JOBS = Patterns.all().stream()
            .filter(pattern -> pattern.name().equals("many-jobs"))
            .findFirst()
            .orElseThrow();
    /** Seeds that nothing was judged by before. */
    private static final long SEEDS_FROM = 9001;

    /** The most important first, for whoever stops it early. */
    private static final List<Comparison> COMPARISONS = List.of(
            new Comparison("100", "curves", Roles.FAIR, LARGER_JOBS, LARGE, seeds(10)),
            new Comparison("100-many-jobs", "curves", Roles.FAIR, MORE_JOBS, LARGE, seeds(6)),
            new Comparison("1000", "curves", Roles.FAIR, LARGER_JOBS, VERY_LARGE, seeds(6)),
            new Comparison("100-capacity", "curves", Roles.CAPACITY, LARGER_JOBS, LARGE, seeds(10)),
            new Comparison("100-water", "water", Roles.FAIR, LARGER_JOBS, LARGE, seeds(6)));

    private MeasureQuality() {}

    private static List<Long> seeds(int count) {
        return LongStream.range(SEEDS_FROM, SEEDS_FROM + count).boxed().toList();
    }

    public static void main(String[] args) throws IOException {
        RunOrRender.main(args, MeasureQuality::run, MeasureQuality::render);
    }

    private static void run(String[] args) throws IOException {
        int part = Integer.parseInt(args[1]);
        int parts = Integer.parseInt(args[2]);
        Path output = Path.of(args[3]);
        Runs runs = Runs.ofLines(Files.exists(output) ? Files.readAllLines(output) : List.of());
        Map<String, Knowledge> known = new HashMap<>();
        for (Comparison comparison : COMPARISONS) {
            // A seed in all worlds before the next, so that what is interrupted can be read.
            for (int count = 1; count <= comparison.seeds().size(); count++) {
                ReportPlan plan = comparison
                        .withSeeds(comparison.seeds().subList(0, count))
                        .plan();
                ReportPlan small =
                        new ReportPlan(plan.name(), List.of(), List.of(), LARGER_JOBS, TRAINED_ON, List.of());
                runs.complete(
                        plan,
                        (same, world, past) ->
                                known.computeIfAbsent(world.name() + past, key -> small.train(world, past)),
                        part,
                        parts,
                        line -> RunOrRender.append(output, line));
            }
        }
    }

    private static void render(String[] args) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 3; i < args.length; i++) {
            lines.addAll(Files.readAllLines(Path.of(args[i])));
        }
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Files.writeString(Path.of(args[1]), QualityJson.of(COMPARISONS, Runs.ofLines(lines), COMMAND, args[2], today));
    }
}
