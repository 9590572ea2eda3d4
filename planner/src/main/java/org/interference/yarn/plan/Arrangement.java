package org.interference.yarn.plan;

import java.util.AbstractList;
import java.util.ArrayList;
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
    private static final int NOWHERE = -1;

    private final Problem problem;
    private final Problem.Tables tables;
    private final boolean countsInterference;
    private final boolean countsAffinity;

    private final int[] machineOf;
    /** Where in its machine's list an instance stands. */
    private final int[] position;

    private final Residents[] residents;
    private final double[][] loads;
    private final double[] costs;
    private final double[] excesses;
    private final boolean[] isStale;
    private final int[] stale;
    private int staleMachines;
    private double sum;
    private double excess;

    /** Of each name the last evaluation that met it. */
    private final int[] met;

    private int evaluation;

    /** What {@link #undo} takes back: an instance, the other one if they changed places, and what was before. */
    private int moved;

    private int swapped;
    private int from;
    private int to;
    private final double[] before = new double[6];

    /** Nothing is placed but what cannot move. */
    public Arrangement(Problem problem) {
        this.problem = problem;
        tables = problem.tables();
        countsInterference = problem.objective() != Objective.AFFINITY_ONLY;
        countsAffinity = problem.objective() != Objective.INTERFERENCE_ONLY;
        int machines = problem.machines().size();
        machineOf = new int[tables.kindOf.length];
        Arrays.fill(machineOf, NOWHERE);
        position = new int[tables.kindOf.length];
        residents = new Residents[machines];
        loads = new double[machines][tables.amounts.size()];
        costs = new double[machines];
        excesses = new double[machines];
        isStale = new boolean[machines];
        stale = new int[machines];
        met = new int[tables.names];
        for (int machine = 0; machine < machines; machine++) {
            residents[machine] = new Residents();
        }
        for (int i = 0; i < tables.occupantsMachine.length; i++) {
            attach(tables.movable + i, tables.occupantsMachine[i]);
        }
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

    /** Returns the machine that holds {@code instance}; empty while it is nowhere. */
    public OptionalInt machineOf(int instance) {
        return machineOf[instance] == NOWHERE ? OptionalInt.empty() : OptionalInt.of(machineOf[instance]);
    }

    /** Puts an instance that is nowhere on a machine. */
    public void place(int instance, int machine) {
        attach(instance, machine);
        expire(machine);
    }

    /** Takes an instance away from where it is. */
    public void remove(int instance) {
        expire(machineOf[instance]);
        detach(instance);
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
        Map<String, List<String>> plan = new LinkedHashMap<>();
        int instance = 0;
        for (Tier tier : problem.tiers()) {
            int end = instance + tier.instances();
            plan.put(
                    tier.name(),
                    Arrays.stream(machineOf, instance, end)
                            .filter(machine -> machine != NOWHERE)
                            .sorted()
                            .mapToObj(machine -> problem.machines().get(machine).name())
                            .toList());
            instance = end;
        }
        return new Plan(plan);
    }

    /** Returns whether {@code instance} fits beside what is on {@code machine} now. */
    boolean hasRoom(int instance, int machine) {
        double[] size = tables.sizes[tables.kindOf[instance]];
        for (int amount = 0; amount < size.length; amount++) {
            if (Problem.Tables.excess(loads[machine][amount] + size[amount], tables.capacities[machine][amount]) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether two instances fit in each other's place. */
    boolean haveRoom(int instance, int other) {
        return fitsInsteadOf(instance, other) && fitsInsteadOf(other, instance);
    }

    private boolean fitsInsteadOf(int instance, int other) {
        int machine = machineOf[other];
        double[] size = tables.sizes[tables.kindOf[instance]];
        double[] freed = tables.sizes[tables.kindOf[other]];
        for (int amount = 0; amount < size.length; amount++) {
            double load = loads[machine][amount] + size[amount] - freed[amount];
            if (Problem.Tables.excess(load, tables.capacities[machine][amount]) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Moves an instance, and returns by how much the sum changes. */
    double tryMove(int instance, int machine) {
        remember(instance, NOWHERE, machineOf[instance], machine);
        detach(instance);
        attach(instance, machine);
        return evaluateBoth();
    }

    /** Lets two instances on different machines change places, and returns by how much the sum changes. */
    double trySwap(int instance, int other) {
        remember(instance, other, machineOf[instance], machineOf[other]);
        detach(instance);
        detach(other);
        attach(instance, to);
        attach(other, from);
        return evaluateBoth();
    }

    /** Takes back the last move or swap. */
    void undo() {
        detach(moved);
        if (swapped != NOWHERE) {
            detach(swapped);
            attach(swapped, to);
        }
        attach(moved, from);
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
        return Arrays.copyOf(machineOf, tables.movable);
    }

    /** Copies where everything is to {@code places}, which is faster than {@link #places}. */
    void copyPlaces(int[] places) {
        System.arraycopy(machineOf, 0, places, 0, tables.movable);
    }

    /** Puts everything where {@code places} says, whatever was where before. */
    void restore(int[] places) {
        for (int instance = 0; instance < places.length; instance++) {
            if (machineOf[instance] != NOWHERE) {
                detach(instance);
            }
        }
        for (int instance = 0; instance < places.length; instance++) {
            if (places[instance] != NOWHERE) {
                attach(instance, places[instance]);
            }
        }
        evaluateAll();
    }

    int residentsOf(int machine) {
        return residents[machine].count;
    }

    /** Returns an instance on {@code machine} by its number there. */
    int resident(int machine, int index) {
        return residents[machine].instances[index];
    }

    double costOf(int machine) {
        refresh();
        return costs[machine];
    }

    /** Equation 6.1: the capacity factor is infinite when the sizes on a machine exceed its capacity in any amount, else 1. */
    double capacityFactor(int machine) {
        refresh();
        return excesses[machine] > 0 ? Double.POSITIVE_INFINITY : 1;
    }

    List<Tier> tiersOn(int machine) {
        return residents[machine];
    }

    /** Equations 6.2 to 6.4, or what takes their place. */
    double interferenceFactor(int machine) {
        return residents[machine].count < 2 ? 1 : problem.interference().factor(residents[machine]);
    }

    /** Equations 6.5 and 6.6: the product, over the instances on a machine, of their affinities whose other end is not there. */
    double affinityFactor(int machine) {
        meet(machine);
        double factor = 1;
        Residents here = residents[machine];
        for (int i = 0; i < here.count; i++) {
            factor *= affinityFactorOf(here.instances[i]);
        }
        return factor;
    }

    /**
     * Returns what a machine costs at least, whatever else is placed.
     *
     * @param missing of each name how many instances are not placed yet
     */
    double leastCost(int machine, int[] missing) {
        boolean grows = countsInterference && problem.interference().growsWithCompany();
        double least = grows ? interferenceFactor(machine) : 1;
        if (countsAffinity) {
            meet(machine);
            Residents here = residents[machine];
            for (int i = 0; i < here.count; i++) {
                int kind = tables.kindOf[here.instances[i]];
                int[] partners = tables.partners[kind];
                for (int partner = 0; partner < partners.length; partner++) {
                    boolean isAway = met[partners[partner]] != evaluation && missing[partners[partner]] == 0;
                    least *= isAway ? tables.factors[kind][partner] : 1;
                }
            }
        }
        return least;
    }

    /** Of an instance on the machine that {@link #affinityFactor} was asked for last. */
    double affinityFactorOf(int instance) {
        int kind = tables.kindOf[instance];
        int[] partners = tables.partners[kind];
        double factor = 1;
        for (int i = 0; i < partners.length; i++) {
            if (met[partners[i]] != evaluation) {
                factor *= tables.factors[kind][i];
            }
        }
        return factor;
    }

    private void meet(int machine) {
        evaluation++;
        Residents here = residents[machine];
        for (int i = 0; i < here.count; i++) {
            met[tables.nameOf[tables.kindOf[here.instances[i]]]] = evaluation;
        }
    }

    List<Term> affinityTerms(int machine) {
        meet(machine);
        List<Term> terms = new ArrayList<>();
        Residents here = residents[machine];
        for (int i = 0; i < here.count; i++) {
            Tier tier = here.get(i);
            double factor = affinityFactorOf(here.instances[i]);
            if (factor > 1) {
                int kind = tables.kindOf[here.instances[i]];
                List<String> away = Arrays.stream(tables.partners[kind])
                        .filter(partner -> met[partner] != evaluation)
                        .mapToObj(this::nameOf)
                        .toList();
                terms.add(new Term(tier.name(), factor, away));
            }
        }
        return terms;
    }

    private String nameOf(int name) {
        for (int kind = 0; kind < tables.kinds.length; kind++) {
            if (tables.nameOf[kind] == name) {
                return tables.kinds[kind].name();
            }
        }
        throw new IllegalArgumentException("no name has the number " + name);
    }

    Map<String, Double> load(int machine) {
        Map<String, Double> load = new LinkedHashMap<>();
        for (int amount = 0; amount < tables.amounts.size(); amount++) {
            load.put(tables.amounts.get(amount), loads[machine][amount]);
        }
        return load;
    }

    private void attach(int instance, int machine) {
        Residents there = residents[machine];
        machineOf[instance] = machine;
        position[instance] = there.count;
        there.add(instance);
        double[] size = tables.sizes[tables.kindOf[instance]];
        for (int amount = 0; amount < size.length; amount++) {
            loads[machine][amount] += size[amount];
        }
    }

    private void detach(int instance) {
        int machine = machineOf[instance];
        Residents there = residents[machine];
        int end = there.instances[--there.count];
        there.instances[position[instance]] = end;
        position[end] = position[instance];
        machineOf[instance] = NOWHERE;
        double[] size = tables.sizes[tables.kindOf[instance]];
        for (int amount = 0; amount < size.length; amount++) {
            loads[machine][amount] -= size[amount];
        }
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

    /** Equation 6.7: a machine's cost is interference x affinity x capacity; how much does not fit is kept beside it. */
    private void evaluate(int machine) {
        double cost = countsInterference ? interferenceFactor(machine) : 1;
        if (countsAffinity) {
            cost *= affinityFactor(machine);
        }
        costs[machine] = cost;
        double over = 0;
        for (int amount = 0; amount < loads[machine].length; amount++) {
            over += Problem.Tables.excess(loads[machine][amount], tables.capacities[machine][amount]);
        }
        excesses[machine] = over;
    }

    /** The instances on a machine, and, as a list, their tiers. */
    private final class Residents extends AbstractList<Tier> {
        private int[] instances = new int[8];
        private int count;

        void add(int instance) {
            if (count == instances.length) {
                instances = Arrays.copyOf(instances, 2 * count);
            }
            instances[count++] = instance;
        }

        @Override
        public Tier get(int index) {
            return tables.kinds[tables.kindOf[instances[index]]];
        }

        @Override
        public int size() {
            return count;
        }
    }
}
