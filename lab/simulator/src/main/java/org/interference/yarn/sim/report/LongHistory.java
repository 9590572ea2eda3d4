package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.World;

/**
 * What a longer history before the test is worth: the policies of the report after one life in which the pattern came several times,
 * each time with other jobs, in place of the report's three lives of one pattern each. Not thread-safe.
 */
final class LongHistory {
    /** How often the pattern came, by length. */
    static final List<Integer> PATTERNS = List.of(5, 20);

    private static final Set<String> WORLDS =
            Set.of("water-heavy", "curves-mild", "curves-heavy", "curves-destructive", "table-destructive");
    /** Longer than the pattern takes in any of these worlds, so that each finds an idle cluster. */
    private static final Duration BETWEEN = Duration.ofSeconds(2000);

    private final List<Length> lengths;

    private record Length(int patterns, ReportPlan plan) {
        Knowledge train(World world, int past) {
            List<Long> seeds = ReportPlan.trainingSeeds(past, patterns);
            List<SimJob> jobs = new ArrayList<>();
            for (int i = 0; i < patterns; i++) {
                Duration begins = BETWEEN.multipliedBy(i);
                for (SimJob job : plan.trainingJobs(seeds.get(i))) {
                    jobs.add(new SimJob(job.name(), job.queue(), job.submitted().plus(begins), job.tasks()));
                }
            }
            return Simulation.run(new Simulation.Setup(
                            world, jobs, Policies.learner(), plan.shape(), seeds.get(0), Knowledge.NONE))
                    .learnt();
        }
    }

    /** @param main the plan of the report, in which its seeds, shape and pattern are */
    LongHistory(ReportPlan main) {
        lengths = PATTERNS.stream().map(patterns -> length(main, patterns)).toList();
    }

    private static Length length(ReportPlan main, int patterns) {
        return new Length(
                patterns,
                new ReportPlan(
                        "History: %d patterns".formatted(patterns),
                        main.worlds().stream()
                                .filter(world -> WORLDS.contains(world.name()))
                                .toList(),
                        Stream.of("fair", "capacity", "placebo-match", "ours-fair", "greedy-leave")
                                .map(Policies::named)
                                .toList(),
                        main.pattern(),
                        main.shape(),
                        main.seeds()));
    }

    /** Runs what is missing; the parameters are those of {@link Runs#complete}. */
    void complete(Runs runs, int part, int parts, Consumer<String> done) {
        for (Length length : lengths) {
            runs.complete(length.plan(), (plan, world, past) -> length.train(world, past), part, parts, done);
        }
    }

    /** Returns {@code after_<patterns>_patterns.<world>.<figure>} as in {@link EvaluationJson}; worlds whose runs are not complete are absent. */
    ObjectNode json(Runs runs) {
        ObjectNode histories = JsonNodeFactory.instance.objectNode();
        for (Length length : lengths) {
            histories.set(
                    "after_%d_patterns".formatted(length.patterns()),
                    EvaluationJson.of(length.plan().covered(runs), runs));
        }
        return histories;
    }
}
