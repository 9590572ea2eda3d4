package org.interference.yarn.sim.report;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.World;

/**
 * What a report runs. Immutable.
 *
 * <p>Warm policies start with what our cold scheduler learnt in the same world in one of {@link #PASTS}, without the
 * {@link #UNSEEN} applications; neither those seeds nor, in training, those applications occur in the test.
 */
public record ReportPlan(
        String name, List<World> worlds, List<Policy> policies, Pattern pattern, ClusterShape shape, List<Long> seeds) {
    /**
     * Which past a cluster has is chance, too, and runs after the same past are not independent: seed {@code n} is tested after number {@code n} modulo so
     * many, which is a past of its own for each seed of a report.
     */
    static final int PASTS = 30;

    private static final int LIVES = 3;
    private static final int FIRST_SEED = 700_001;
    private static final int BETWEEN_PASTS = 100;

    /** Three lives of a cluster before the test, for each past. */
    static final List<Long> TRAINING_SEEDS = IntStream.range(0, PASTS)
            .mapToObj(ReportPlan::trainingSeeds)
            .flatMap(List::stream)
            .toList();

    /** Applications that occur only in the test: one each of those sensitive to cache, memory and disk. */
    static final Set<String> UNSEEN = Set.of("app03", "app09", "app14");

    public ReportPlan {
        worlds = List.copyOf(worlds);
        policies = List.copyOf(policies);
        seeds = List.copyOf(seeds);
    }

    /** Returns the plan for the worlds that {@code runs} covers. */
    ReportPlan covered(Runs runs) {
        List<World> covered =
                worlds.stream().filter(world -> runs.covers(this, world)).toList();
        return new ReportPlan(name, covered, policies, pattern, shape, seeds);
    }

    /** Returns the jobs of one seed, the same for every world and policy. */
    List<SimJob> jobs(long seed) {
        return pattern.jobs(new SplittableRandom(seed), shape.slots());
    }

    /** Returns the seeds of one past, oldest first. */
    static List<Long> trainingSeeds(int past) {
        return trainingSeeds(past, LIVES);
    }

    /** Returns the seeds of one past that is longer or shorter than {@link #train}'s, oldest first. */
    static List<Long> trainingSeeds(int past, int count) {
        return LongStream.range(0, count)
                .mapToObj(life -> FIRST_SEED + (long) BETWEEN_PASTS * past + life)
                .toList();
    }

    /** Returns which past the seed at {@code position} of a list is tested after. */
    public static int past(long position) {
        return (int) (position % PASTS);
    }

    /** Returns what a cluster in {@code world} knows after one of {@link #PASTS}. */
    public Knowledge train(World world, int past) {
        Knowledge known = Knowledge.NONE;
        for (long seed : trainingSeeds(past)) {
            known = Simulation.run(
                            new Simulation.Setup(world, trainingJobs(seed), Policies.learner(), shape, seed, known))
                    .learnt();
        }
        return known;
    }

    /** Returns the jobs of one seed that occur in training. */
    List<SimJob> trainingJobs(long seed) {
        return jobs(seed).stream().filter(job -> !UNSEEN.contains(job.name())).toList();
    }

    /**
     * Returns the run of the least makespan that is possible, everything known beforehand.
     *
     * @throws IllegalArgumentException if there are too many tasks, or nodes that differ
     */
    public RunMetrics optimum(World world, long seed) {
        return OptimalRun.of(world, jobs(seed), shape, seed);
    }

    /** Runs one cell with one seed. */
    public RunMetrics run(World world, Policy policy, long seed, Knowledge known) {
        return RunMetrics.of(Simulation.run(new Simulation.Setup(world, jobs(seed), policy, shape, seed, known)));
    }
}
