package org.interference.yarn.plan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Instances on machines while a solver moves them about, and what that costs. A machine's cost depends on what is on it and on nothing
 * else, so a move or a swap costs the evaluation of two machines. Not thread-safe.
 *
 * <p>For a search: {@link #tryMove} or {@link #trySwap}, and {@link #undo} if it is not wanted. For a solver library: {@link #place} and
 * {@link #remove} in any order, and {@link #sum} and {@link #excess} when it wants to know.
 */
public final class Arrangement {
    private final Problem problem;
    private final Assignment assignment;
    private final CostFunction costFunction;
    private final double[] costs;
    private final double[] excesses;
    private final boolean[] isStale;
    private final int[] stale;
    private int staleMachines;
    private double sum;
    private double excess;

    /** What {@link #undo} takes back: an instance, the other one if they changed places, and what was before. */
    private int moved;

    private int swapped;
    private int from;
    private int to;
    private final double[] before = new double[6];

    /** Nothing is placed but what cannot move. */
    public Arrangement(Problem problem) {
        this.problem = problem;
        assignment = new Assignment(problem);
        costFunction = new CostFunction(problem, assignment);
        int machines = problem.machines().size();
        costs = new double[machines];
        excesses = new double[machines];
        isStale = new boolean[machines];
        stale = new int[machines];
        evaluateAll();
    }

    /** Returns the arrangement that {@code plan} describes. */
    static Arrangement of(Problem problem, Plan plan) {
        Arrangement arrangement = new Arrangement(problem);
        Map<String, Integer> machines = new LinkedHashMap<>();
        problem.machines().forEach(machine -> machines.put(machine.name(), machines.size()));
        int instance = 0;
        for (Tier tier : problem.tiers()) {
            List<String> names = plan.machines().getOrDefault(tier.name(), List.of());
            if (names.size() != tier.instances()) {
                throw new PlanException("Tier '%s' has %d instances, and the plan names %d machines for it"
                        .formatted(tier.name(), tier.instances(), names.size()));
            }
            for (String name : names) {
                Integer machine = machines.get(name);
                if (machine == null) {
                    throw new PlanException("The plan puts tier '%s' on '%s', and there is no such machine"
                            .formatted(tier.name(), name));
                }
                arrangement.place(instance++, machine);
            }
        }
        for (String tier : plan.machines().keySet()) {
            if (problem.tiers().stream().noneMatch(known -> known.name().equals(tier))) {
                throw new PlanException(
                        "The plan has a place for tier '%s', and there is no such tier".formatted(tier));
            }
        }
        return arrangement;
    }

    public Problem problem() {
        return problem;
    }

    /** Only to be read: what changes it is this class. */
    Assignment assignment() {
        return assignment;
    }

    CostFunction costFunction() {
        return costFunction;
    }

    /** Returns the machine that holds {@code instance}; empty while it is nowhere. */
    public OptionalInt machineOf(int instance) {
        int machine = assignment.machineOf(instance);
        return machine == Assignment.NOWHERE ? OptionalInt.empty() : OptionalInt.of(machine);
    }

    /** Puts an instance that is nowhere on a machine. */
    public void place(int instance, int machine) {
        assignment.attach(instance, machine);
        expire(machine);
    }

    /** Takes an instance away from where it is. */
    public void remove(int instance) {
        expire(assignment.machineOf(instance));
        assignment.detach(instance);
    }

    private void expire(int machine) {
        if (!isStale[machine]) {
            isStale[machine] = true;
            stale[staleMachines++] = machine;
        }
    }

    /** Returns the sum of the machines' costs without their capacity factors: finite, at least the number of machines. */
    public double sum() {
        refresh();
        return sum;
    }

    /** Returns by which shares the machines' capacities are exceeded, summed up; 0 if everything fits. */
    public double excess() {
        refresh();
        return excess;
    }

    /** Returns equation 6.8: the mean of all machines' costs; an empty machine costs 1. Infinite if something does not fit. */
    public double cost() {
        refresh();
        return excess > 0 ? Double.POSITIVE_INFINITY : sum / costs.length;
    }

    /** Returns what is placed as a plan; instances that are nowhere are left out. */
    public Plan plan() {
        return assignment.plan();
    }

    /** Returns whether {@code instance} fits beside what is on {@code machine} now. */
    boolean hasRoom(int instance, int machine) {
        return assignment.hasRoom(instance, machine);
    }

    /** Returns whether two instances fit in each other's place. */
    boolean haveRoom(int instance, int other) {
        return assignment.haveRoom(instance, other);
    }

    /** Moves an instance, and returns by how much the sum changes. */
    double tryMove(int instance, int machine) {
        remember(instance, Assignment.NOWHERE, assignment.machineOf(instance), machine);
        assignment.detach(instance);
        assignment.attach(instance, machine);
        return evaluateBoth();
    }

    /** Lets two instances on different machines change places, and returns by how much the sum changes. */
    double trySwap(int instance, int other) {
        remember(instance, other, assignment.machineOf(instance), assignment.machineOf(other));
        assignment.detach(instance);
        assignment.detach(other);
        assignment.attach(instance, to);
        assignment.attach(other, from);
        return evaluateBoth();
    }

    /** Takes back the last move or swap. */
    void undo() {
        assignment.detach(moved);
        if (swapped != Assignment.NOWHERE) {
            assignment.detach(swapped);
            assignment.attach(swapped, to);
        }
        assignment.attach(moved, from);
        costs[from] = before[0];
        costs[to] = before[1];
        excesses[from] = before[2];
        excesses[to] = before[3];
        sum = before[4];
        excess = before[5];
    }

    private void remember(int instance, int other, int here, int there) {
        refresh();
        moved = instance;
        swapped = other;
        from = here;
        to = there;
        before[0] = costs[from];
        before[1] = costs[to];
        before[2] = excesses[from];
        before[3] = excesses[to];
        before[4] = sum;
        before[5] = excess;
    }

    private double evaluateBoth() {
        evaluate(from);
        evaluate(to);
        double change = costs[from] - before[0] + costs[to] - before[1];
        sum += change;
        totalExcess(excesses[from] - before[2] + excesses[to] - before[3]);
        return change;
    }

    /** Whether anything does not fit must not depend on how differences are rounded. */
    private void totalExcess(double change) {
        if (change != 0) {
            excess = Arrays.stream(excesses).sum();
        }
    }

    int[] places() {
        return assignment.places();
    }

    /** Copies where everything is to {@code places}, which is faster than {@link #places}. */
    void copyPlaces(int[] places) {
        assignment.copyPlaces(places);
    }

    /** Puts everything where {@code places} says, whatever was where before. */
    void restore(int[] places) {
        assignment.restore(places);
        evaluateAll();
    }

    int residentsOf(int machine) {
        return assignment.on(machine).size();
    }

    /** Returns an instance on {@code machine} by its number there. */
    int resident(int machine, int index) {
        return assignment.on(machine).instance(index);
    }

    private void refresh() {
        for (int i = 0; i < staleMachines; i++) {
            int machine = stale[i];
            double cost = costs[machine];
            double over = excesses[machine];
            evaluate(machine);
            isStale[machine] = false;
            sum += costs[machine] - cost;
            totalExcess(excesses[machine] - over);
        }
        staleMachines = 0;
    }

    private void evaluateAll() {
        for (int machine = 0; machine < costs.length; machine++) {
            evaluate(machine);
            isStale[machine] = false;
        }
        staleMachines = 0;
        sum = Arrays.stream(costs).sum();
        excess = Arrays.stream(excesses).sum();
    }

    private void evaluate(int machine) {
        costs[machine] = costFunction.cost(machine);
        excesses[machine] = assignment.excess(machine);
    }
}
