package org.interference.yarn.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Round robin decreasing (thesis 6.2.1): the largest first, dealt to the machines in turn, past those that have no room, which the published one does not look at. It looks at sizes
 * alone, and is where the other heuristics start.
 */
public final class RoundRobin implements Solver {
    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        Arrangement arrangement = deal(problem);
        return new Solution(arrangement.plan(), arrangement.cost(), problem.instances(), false);
    }

    /** Returns everything on machines; what fits on none is where it exceeds least. */
    static Arrangement deal(Problem problem) {
        double[] sizes = relativeSizes(problem);
        int[] decreasing = IntStream.range(0, problem.instances())
                .boxed()
                .sorted(Comparator.comparingDouble(instance -> -sizes[problem.tierOf(instance)]))
                .mapToInt(Integer::intValue)
                .toArray();
        Arrangement arrangement = new Arrangement(problem);
        int machines = problem.machines().size();
        int turn = 0;
        for (int instance : decreasing) {
            int tried = 0;
            while (tried < machines && !arrangement.hasRoom(instance, (turn + tried) % machines)) {
                tried++;
            }
            int machine = tried < machines ? (turn + tried) % machines : leastExceeded(arrangement, instance);
            arrangement.place(instance, machine);
            turn = (machine + 1) % machines;
        }
        return arrangement;
    }

    private static int leastExceeded(Arrangement arrangement, int instance) {
        int least = 0;
        double leastExcess = Double.POSITIVE_INFINITY;
        for (int machine = 0; machine < arrangement.problem().machines().size(); machine++) {
            arrangement.place(instance, machine);
            double excess = arrangement.excess();
            arrangement.remove(instance);
            if (excess < leastExcess) {
                leastExcess = excess;
                least = machine;
            }
        }
        return least;
    }

    /** Of each tier: the largest share that an instance takes of an average machine, over the amounts. */
    private static double[] relativeSizes(Problem problem) {
        Problem.Tables tables = problem.tables();
        double[] average = new double[tables.amounts.size()];
        for (double[] capacity : tables.capacities) {
            for (int amount = 0; amount < average.length; amount++) {
                average[amount] += capacity[amount] / tables.capacities.length;
            }
        }
        return IntStream.range(0, problem.tiers().size())
                .mapToDouble(tier -> IntStream.range(0, average.length)
                        .mapToDouble(
                                amount -> tables.sizes[tier][amount] / Math.max(average[amount], Double.MIN_NORMAL))
                        .max()
                        .orElse(0))
                .toArray();
    }

    /** Returns where everything is, as chance has it; for those that begin again. */
    static int[] scatter(Problem problem, RandomGenerator random) {
        return Arrays.stream(new int[problem.instances()])
                .map(none -> random.nextInt(problem.machines().size()))
                .toArray();
    }
}
