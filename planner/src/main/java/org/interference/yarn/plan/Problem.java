package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tiers that want a place, machines that have some, and what a plan costs. What can be refused without a search is refused when it is
 * made. Immutable, if its {@link Interference} is; the solvers share it.
 */
public final class Problem {
    /** A list of so many machines and instances is planned by nobody. */
    private static final int MOST = Tier.MOST_INSTANCES;

    private final List<Tier> tiers;
    private final List<Machine> machines;
    private final Interference interference;
    private final Objective objective;
    private final Tables tables;

    private Problem(
            List<Tier> tiers, List<Machine> machines, Interference interference, Objective objective, Tables tables) {
        this.tiers = tiers;
        this.machines = machines;
        this.interference = interference;
        this.objective = objective;
        this.tables = tables;
    }

    /**
     * Returns the problem.
     *
     * @throws PlanException if there is nothing to plan or nowhere to put it, names are not different, an affinity is to a tier that does
     *     not exist, an instance fits nowhere, or all together do not fit
     */
    public static Problem of(List<Tier> tiers, List<Machine> machines, Interference interference) {
        refuseNothing(tiers, machines);
        Names.requireDifferent("tier", tiers.stream().map(Tier::name).toList());
        Names.requireDifferent("machine", machines.stream().map(Machine::name).toList());
        Tables tables = new Tables(tiers, machines);
        tables.refuseUnknownAffinities(tiers);
        tables.refuseWhatCannotFit(tiers, machines);
        return new Problem(List.copyOf(tiers), List.copyOf(machines), interference, Objective.BOTH, tables);
    }

    private static void refuseNothing(List<Tier> tiers, List<Machine> machines) {
        if (tiers.isEmpty()) {
            throw new PlanException("There are no tiers to plan");
        }
        if (machines.isEmpty()) {
            throw new PlanException("There are no machines to plan for");
        }
        long instances = tiers.stream().mapToLong(Tier::instances).sum();
        if (instances > MOST || machines.size() > MOST) {
            throw new PlanException("There are %d instances for %d machines, and there may be %d of each"
                    .formatted(instances, machines.size(), MOST));
        }
    }

    /** Returns the same, but a plan costs what {@code objective} says. */
    public Problem with(Objective other) {
        return new Problem(tiers, machines, interference, other, tables);
    }

    public List<Tier> tiers() {
        return tiers;
    }

    public List<Machine> machines() {
        return machines;
    }

    public Interference interference() {
        return interference;
    }

    public Objective objective() {
        return objective;
    }

    /** Returns how many instances are to be placed; they are numbered from 0, those of a tier one after another. */
    public int instances() {
        return tables.movable;
    }

    /** Returns the index, in {@link #tiers}, of an instance's tier. */
    public int tierOf(int instance) {
        return tables.kindOf[instance];
    }

    /**
     * Returns what {@code plan} costs and why, under the whole cost, whatever the objective.
     *
     * @throws PlanException if it does not name a machine of this problem for each instance
     */
    public Assessment assess(Plan plan) {
        return Assessment.of(Arrangement.of(with(Objective.BOTH), plan));
    }

    Tables tables() {
        return tables;
    }

    /** The same as numbers. A kind is a planned tier or an occupant; a name may be that of several kinds. */
    static final class Tables {
        private static final double CLOSE = 1e-9;

        final int movable;
        /** Of each instance, those that move first, then the occupants. */
        final int[] kindOf;

        final int[] occupantsMachine;
        final Tier[] kinds;
        final int[] nameOf;
        final int names;
        /** Of each kind: the names that it has an affinity to, and its factors. */
        final int[][] partners;

        final double[][] factors;
        final List<String> amounts;
        /** Of each kind, of each amount. */
        final double[][] sizes;
        /** Of each machine, of each amount. */
        final double[][] capacities;

        Tables(List<Tier> tiers, List<Machine> machines) {
            movable = tiers.stream().mapToInt(Tier::instances).sum();
            List<Tier> all = new ArrayList<>(tiers);
            List<Integer> instances = new ArrayList<>();
            for (int tier = 0; tier < tiers.size(); tier++) {
                for (int i = 0; i < tiers.get(tier).instances(); i++) {
                    instances.add(tier);
                }
            }
            List<Integer> places = new ArrayList<>();
            for (int machine = 0; machine < machines.size(); machine++) {
                for (Tier occupant : machines.get(machine).occupants()) {
                    instances.add(all.size());
                    all.add(occupant);
                    places.add(machine);
                }
            }
            kinds = all.toArray(new Tier[0]);
            kindOf = instances.stream().mapToInt(Integer::intValue).toArray();
            occupantsMachine = places.stream().mapToInt(Integer::intValue).toArray();
            Map<String, Integer> numbers = new HashMap<>();
            nameOf = new int[kinds.length];
            for (int kind = 0; kind < kinds.length; kind++) {
                nameOf[kind] = numbers.computeIfAbsent(kinds[kind].name(), name -> numbers.size());
            }
            names = numbers.size();
            partners = new int[kinds.length][];
            factors = new double[kinds.length][];
            for (int kind = 0; kind < kinds.length; kind++) {
                List<Map.Entry<String, Double>> known = kinds[kind].affinities().entrySet().stream()
                        .filter(affinity -> affinity.getValue() > 1 && numbers.containsKey(affinity.getKey()))
                        .toList();
                partners[kind] = known.stream()
                        .mapToInt(affinity -> numbers.get(affinity.getKey()))
                        .toArray();
                factors[kind] = known.stream().mapToDouble(Map.Entry::getValue).toArray();
            }
            amounts = List.copyOf(new TreeSet<>(Stream.concat(
                            all.stream().flatMap(tier -> tier.size().keySet().stream()),
                            machines.stream().flatMap(machine -> machine.capacity().keySet().stream()))
                    .toList()));
            sizes = all.stream().map(tier -> values(tier.size())).toArray(double[][]::new);
            capacities =
                    machines.stream().map(machine -> values(machine.capacity())).toArray(double[][]::new);
        }

        private double[] values(Map<String, Double> byName) {
            return amounts.stream()
                    .mapToDouble(amount -> byName.getOrDefault(amount, 0.0))
                    .toArray();
        }

        /** Returns the share of {@code capacity} by which {@code load} exceeds it; 0 if it fits, up to what adding rounds. */
        static double excess(double load, double capacity) {
            if (load <= capacity * (1 + CLOSE) + Double.MIN_NORMAL) {
                return 0;
            }
            return capacity > 0 ? load / capacity - 1 : load;
        }

        /** Returns what is left of {@code load} without one {@code size} of it; nothing of what adding and taking away has rounded, which a machine without any of it has no room for. */
        static double left(double load, double size) {
            double left = load - size;
            return left > CLOSE * size ? left : 0;
        }

        /** Of each planned tier: the instances of tiers that it has an affinity to, or that have one to it. */
        int[][] talkingTo() {
            int tiers = movable == 0 ? 0 : kindOf[movable - 1] + 1;
            List<Set<Integer>> byName = new ArrayList<>();
            for (int name = 0; name < names; name++) {
                byName.add(new TreeSet<>());
            }
            for (int kind = 0; kind < kinds.length; kind++) {
                for (int partner : partners[kind]) {
                    byName.get(nameOf[kind]).add(partner);
                    byName.get(partner).add(nameOf[kind]);
                }
            }
            Map<Integer, List<Integer>> instancesOf = new HashMap<>();
            for (int instance = 0; instance < kindOf.length; instance++) {
                instancesOf
                        .computeIfAbsent(nameOf[kindOf[instance]], name -> new ArrayList<>())
                        .add(instance);
            }
            int[][] talking = new int[tiers][];
            for (int tier = 0; tier < tiers; tier++) {
                talking[tier] = byName.get(nameOf[tier]).stream()
                        .flatMap(name -> instancesOf.get(name).stream())
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
            return talking;
        }

        void refuseUnknownAffinities(List<Tier> tiers) {
            Set<String> known = Arrays.stream(kinds).map(Tier::name).collect(Collectors.toSet());
            for (Tier tier : tiers) {
                for (String other : tier.affinities().keySet()) {
                    if (!known.contains(other)) {
                        throw new PlanException("Tier '%s' has an affinity to '%s', and there is no such tier"
                                .formatted(tier.name(), other));
                    }
                }
            }
        }

        void refuseWhatCannotFit(List<Tier> tiers, List<Machine> machines) {
            double[][] free = new double[machines.size()][];
            for (int machine = 0; machine < free.length; machine++) {
                free[machine] = capacities[machine].clone();
            }
            for (int i = 0; i < occupantsMachine.length; i++) {
                for (int amount = 0; amount < amounts.size(); amount++) {
                    free[occupantsMachine[i]][amount] -= sizes[kindOf[movable + i]][amount];
                }
            }
            refuseOvercrowded(machines, free);
            for (int tier = 0; tier < tiers.size(); tier++) {
                refuseTooLarge(tiers.get(tier), sizes[tier], free);
            }
            for (int amount = 0; amount < amounts.size(); amount++) {
                refuseTooMany(tiers, amount, free);
            }
        }

        private void refuseOvercrowded(List<Machine> machines, double[][] free) {
            for (int machine = 0; machine < free.length; machine++) {
                for (int amount = 0; amount < amounts.size(); amount++) {
                    if (free[machine][amount] < -CLOSE * capacities[machine][amount]) {
                        throw new PlanException("Machine '%s' holds more %s already than its %s"
                                .formatted(
                                        machines.get(machine).name(),
                                        amounts.get(amount),
                                        number(capacities[machine][amount])));
                    }
                }
            }
        }

        private void refuseTooLarge(Tier tier, double[] size, double[][] free) {
            if (tier.size().isEmpty()) {
                throw new PlanException("Tier '%s' has no size".formatted(tier.name()));
            }
            for (double[] machine : free) {
                boolean fits = true;
                for (int amount = 0; amount < size.length; amount++) {
                    fits &= excess(size[amount], machine[amount]) == 0;
                }
                if (fits) {
                    return;
                }
            }
            throw new PlanException("An instance of tier '%s' (%s) is larger than what every machine has free"
                    .formatted(tier.name(), text(tier.size())));
        }

        private void refuseTooMany(List<Tier> tiers, int amount, double[][] free) {
            double needed = 0;
            for (int tier = 0; tier < tiers.size(); tier++) {
                needed += sizes[tier][amount] * tiers.get(tier).instances();
            }
            double there = 0;
            for (double[] machine : free) {
                there += Math.max(0, machine[amount]);
            }
            if (excess(needed, there) > 0) {
                throw new PlanException("The tiers need %s of %s together, and the machines have %s free"
                        .formatted(number(needed), amounts.get(amount), number(there)));
            }
        }

        private static String text(Map<String, Double> amounts) {
            return String.join(
                    ", ",
                    amounts.entrySet().stream()
                            .map(amount -> amount.getKey() + " " + number(amount.getValue()))
                            .toList());
        }

        private static String number(double value) {
            double rounded = Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
            return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
                    ? Long.toString((long) rounded)
                    : Double.toString(rounded);
        }
    }
}
