package org.interference.yarn.benchmarks.plan;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.degradation.Resource;
import org.interference.yarn.plan.Annealing;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.ExactSearch;
import org.interference.yarn.plan.HillClimb;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Plan;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.RoundRobin;
import org.interference.yarn.plan.Solution;
import org.interference.yarn.plan.Solver;
import org.interference.yarn.plan.TableInterference;
import org.interference.yarn.plan.Tier;

/**
 * Measures one part of the planner and adds its figures to a file; bin/lab planner gives each a JVM. Time is the searching thread's
 * processor time: each search has one thread, and on a busy machine a clock also counts the turns of others.
 */
public final class MeasurePlanner {
    private static final int SEEDS = 100;
    /** Enough for two machines; a search that has found the optimum goes on until it has made them. */
    private static final long SMALL_STEPS = 20_000;

    private static final double SAME = 1e-9;
    private static final int TIERS = 1_000;
    private static final int NODES = 200;
    private static final long SERVICES_SEED = 1;
    private static final int REPETITIONS = 5;
    /** So that reading the problem and its answer is within ten seconds, too. */
    private static final Duration SHORT = Duration.ofMillis(9_500);

    private static final Duration LONG = Duration.ofMinutes(10);

    private MeasurePlanner() {}

    /** Usage: {@code MeasurePlanner cases|short|long|compare FILE}. */
    public static void main(String[] args) throws IOException {
        ResultFile file = ResultFile.open(Path.of(args[1]), "planner", "bin/lab planner");
        switch (args[0]) {
            case "cases" -> cases(file.results());
            case "short" -> shortRuns(file.results());
            case "long" -> longRuns(file.results());
            case "compare" -> compare(file);
            default -> throw new IllegalArgumentException("there is no part " + args[0]);
        }
        file.write();
    }

    private static void cases(Results results) {
        Problem first = problem(
                0.3,
                List.of(Resource.CPU, Resource.CPU, Resource.DISK, Resource.DISK),
                List.of(1.15, 1.15, 2.25, 2.25),
                Map.of(1, 1.57, 3, 1.05));
        Problem second = problem(
                0.2,
                List.of(Resource.CPU, Resource.DISK, Resource.CACHE, Resource.DISK, Resource.MEMORY, Resource.CACHE),
                List.of(1.33, 2.25, 1.26, 2.25, 1.74, 1.26),
                Map.of(1, 1.57, 3, 1.57, 5, 1.57));
        thesisCase(results, "case1", first, "1 3", "1 2");
        thesisCase(results, "case2", second, "1 2 3", "1 2 3 4");
    }

    private static void thesisCase(
            Results results, String name, Problem problem, String interferenceOnly, String affinityOnly) {
        Solution optimum = new ExactSearch().solve(problem, Budget.steps(1_000_000), new SplittableRandom(1));
        if (!optimum.optimal()) {
            throw new IllegalStateException(name + " was not searched to its end");
        }
        results.put(name + "_cost", optimum.cost(), 4);
        results.put(
                name + "_interference_only_cost",
                problem.assess(plan(problem, interferenceOnly)).cost(),
                4);
        results.put(
                name + "_affinity_only_cost",
                problem.assess(plan(problem, affinityOnly)).cost(),
                4);
        Results rates = results.under(name + "_hit_rate");
        for (Solver solver : List.of(new RoundRobin(), new HillClimb(), new Annealing(), new ExactSearch())) {
            int hits = 0;
            for (int seed = 0; seed < SEEDS; seed++) {
                Solution found = solver.solve(problem, Budget.steps(SMALL_STEPS), new SplittableRandom(seed));
                hits += found.cost() < optimum.cost() + SAME ? 1 : 0;
            }
            rates.put(solver.name(), (double) hits / SEEDS);
        }
    }

    /** Tiers #1, #2, ... on two machines of capacity 1; each key of {@code talks} has an affinity to the next tier. */
    private static Problem problem(
            double size, List<Resource> resources, List<Double> factors, Map<Integer, Double> talks) {
        List<Tier> tiers = new ArrayList<>();
        for (int i = 1; i <= resources.size(); i++) {
            tiers.add(new Tier(
                    "#" + i,
                    Map.of("size", size),
                    Degradation.NONE.with(resources.get(i - 1), factors.get(i - 1)),
                    talks.containsKey(i) ? Map.of("#" + (i + 1), talks.get(i)) : Map.of(),
                    1));
        }
        Map<String, Double> capacity = Map.of("size", 1.0);
        return Problem.of(
                tiers, List.of(new Machine("A", capacity), new Machine("B", capacity)), new TableInterference());
    }

    private static Plan plan(Problem problem, String onFirst) {
        List<String> first = List.of(onFirst.split(" "));
        Map<String, List<String>> machines = new TreeMap<>();
        for (Tier tier : problem.tiers()) {
            machines.put(tier.name(), List.of(first.contains(tier.name().substring(1)) ? "A" : "B"));
        }
        return new Plan(machines);
    }

    private static void shortRuns(Results results) {
        double longest = 0;
        for (Solver solver : List.of(new Annealing(), new HillClimb())) {
            double[] costs = new double[REPETITIONS];
            double[] steps = new double[REPETITIONS];
            for (int seed = 0; seed < REPETITIONS; seed++) {
                LongSupplier clock = processorTime();
                long start = clock.getAsLong();
                Problem problem = GeneratedServices.of(TIERS, NODES, SERVICES_SEED);
                Solution found = solver.solve(problem, Budget.time(clock, SHORT), new SplittableRandom(seed));
                costs[seed] = problem.assess(found.plan()).cost();
                steps[seed] = found.steps();
                if (solver instanceof Annealing) {
                    longest = Math.max(longest, (clock.getAsLong() - start) / 1e9);
                }
                say(solver, seed, costs[seed], found.steps());
            }
            results.put(solver.name() + "_cost_after_10_s", Distribution.of(costs));
            results.put(solver.name() + "_steps_in_10_s", Distribution.of(steps));
        }
        results.put("seconds_1000_tiers_200_nodes", longest);
    }

    private static void longRuns(Results results) {
        Solver solver = new Annealing();
        Problem problem = GeneratedServices.of(TIERS, NODES, SERVICES_SEED);
        Solution found = solver.solve(problem, Budget.time(processorTime(), LONG), new SplittableRandom(SEEDS));
        results.put("anneal_cost_after_600_s", problem.assess(found.plan()).cost(), 4);
        say(solver, SEEDS, found.cost(), found.steps());
    }

    private static void compare(ResultFile file) {
        double best = file.figure("anneal_cost_after_600_s");
        file.results().put("best_known_cost", best, 4);
        file.results().put("cost_over_best_known", file.figure("anneal_cost_after_10_s") / best, 4);
    }

    private static LongSupplier processorTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long searching = Thread.currentThread().getId();
        return () -> threads.getThreadCpuTime(searching);
    }

    private static void say(Solver solver, int seed, double cost, long steps) {
        System.out.printf(Locale.ROOT, "%s, seed %d: cost %.4f, %d steps%n", solver.name(), seed, cost, steps);
    }
}
