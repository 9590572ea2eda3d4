package org.interference.yarn.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.interference.yarn.degradation.Resource;

/**
 * Branch and bound: every plan, but for those that differ from another by the names of equal machines or of a tier's instances, and those
 * that cannot cost less than the best so far. For small sets; where the budget ends before it is done, the answer is the best it met, which
 * is at least as good as a short annealing's, and not marked optimal.
 *
 * <p>A partial plan costs at least, on each machine, the interference among what is there, if {@link Interference#growsWithCompany}, and
 * the affinities to tiers that are placed as a whole, elsewhere.
 */
public final class ExactSearch implements Solver {
    private static final long FIRST_STEPS_PER_PAIR = 50;
    /** It goes one call deeper with each, and of more than some dozen it never comes to an end. */
    private static final int MOST_INSTANCES = 1000;

    private static final long MOST_FIRST_STEPS = 200_000;

    @Override
    public String name() {
        return "exact";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        if (problem.instances() > MOST_INSTANCES) {
            throw new PlanException(
                    "exact search is for %d instances at most, and there are %d; the others have no such bound"
                            .formatted(MOST_INSTANCES, problem.instances()));
        }
        long pairs = (long) problem.instances() * problem.machines().size();
        Budget first = budget.atMost(Math.min(MOST_FIRST_STEPS, FIRST_STEPS_PER_PAIR * pairs));
        return new Search(problem, new Annealing().solve(problem, first, random), budget.start()).run();
    }

    /** One search. Placed instances are the first ones in {@link #order}. */
    private static final class Search {
        private static final double NOISE = 1e-12;

        private final Problem problem;
        private final Problem.Tables tables;
        private final Arrangement arrangement;
        private final Budget.Progress progress;
        private final int machines;
        private final int[] order;
        /** Of each machine the first one that is its equal. */
        private final int[] equal;
        /** Of each name: how many instances are not placed yet. */
        private final int[] missing;

        private int[] best;
        private double bestSum;

        Search(Problem problem, Solution first, Budget.Progress progress) {
            this.problem = problem;
            this.progress = progress;
            tables = problem.tables();
            machines = problem.machines().size();
            arrangement = new Arrangement(problem);
            equal = equalMachines();
            order = IntStream.range(0, problem.instances())
                    .boxed()
                    .sorted(Comparator.comparingDouble(this::weight).reversed().thenComparingInt(instance -> instance))
                    .mapToInt(Integer::intValue)
                    .toArray();
            missing = new int[tables.names];
            for (int instance : order) {
                missing[tables.nameOf[problem.tierOf(instance)]]++;
            }
            best = Arrangement.of(problem, first.plan()).places();
            bestSum = first.cost() * machines;
        }

        Solution run() {
            boolean complete = place(0);
            arrangement.restore(best);
            return new Solution(arrangement.plan(), arrangement.cost(), progress.taken(), complete);
        }

        /** Those that matter most first: their bounds say most. */
        private double weight(int instance) {
            int tier = problem.tierOf(instance);
            double weight = Arrays.stream(tables.factors[tier]).reduce(1, (a, b) -> a * b);
            for (Resource resource : Resource.values()) {
                weight *= tables.kinds[tier].degradation().of(resource);
            }
            return weight;
        }

        private int[] equalMachines() {
            List<Machine> all = problem.machines();
            Map<Map<String, Double>, Integer> seen = new HashMap<>();
            int[] first = new int[machines];
            for (int machine = 0; machine < machines; machine++) {
                Machine each = all.get(machine);
                first[machine] = machine;
                if (each.occupants().isEmpty()) {
                    Integer earlier = seen.putIfAbsent(each.capacity(), machine);
                    first[machine] = earlier == null ? machine : earlier;
                }
            }
            return first;
        }

        /** Returns false if the budget ended. */
        private boolean place(int depth) {
            if (depth == order.length) {
                double sum = arrangement.sum();
                if (sum < bestSum - NOISE) {
                    bestSum = sum;
                    best = arrangement.places();
                }
                return true;
            }
            int instance = order[depth];
            int name = tables.nameOf[problem.tierOf(instance)];
            missing[name]--;
            boolean complete = true;
            for (Choice choice : choices(depth, instance)) {
                if (choice.bound() >= bestSum - NOISE) {
                    break;
                }
                if (!progress.step()) {
                    complete = false;
                    break;
                }
                arrangement.place(instance, choice.machine());
                complete = place(depth + 1);
                arrangement.remove(instance);
                if (!complete) {
                    break;
                }
            }
            missing[name]++;
            return complete;
        }

        private record Choice(int machine, double bound) {}

        /** Returns where {@code instance} may go, the most promising machine first. */
        private List<Choice> choices(int depth, int instance) {
            boolean isLikeTheLast = depth > 0 && problem.tierOf(order[depth - 1]) == problem.tierOf(instance);
            int from = isLikeTheLast ? arrangement.machineOf(order[depth - 1]).orElseThrow() : 0;
            Set<Integer> emptySeen = new HashSet<>();
            return IntStream.range(0, machines)
                    .filter(machine -> arrangement.residentsOf(machine) > 0 || emptySeen.add(equal[machine]))
                    .filter(machine -> machine >= from && arrangement.hasRoom(instance, machine))
                    .mapToObj(machine -> new Choice(machine, bound(instance, machine)))
                    .sorted(Comparator.comparingDouble(Choice::bound))
                    .toList();
        }

        private double bound(int instance, int machine) {
            arrangement.place(instance, machine);
            double bound = 0;
            for (int each = 0; each < machines; each++) {
                bound += arrangement.costFunction().leastCost(each, missing);
            }
            arrangement.remove(instance);
            return bound;
        }
    }
}
