package org.interference.yarn.plan;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which instance is on which machine, and how full that makes each machine. Not thread-safe. */
final class Assignment {
    static final int NOWHERE = -1;

    private final Problem problem;
    private final Problem.Tables tables;

    private final int[] machineOf;
    /** Where in its machine's list an instance stands. */
    private final int[] position;

    private final Residents[] residents;
    /** Of each machine, of each amount. */
    private final double[][] loads;

    /** Nothing is placed but what cannot move. */
    Assignment(Problem problem) {
        this.problem = problem;
        tables = problem.tables();
        int machines = problem.machines().size();
        machineOf = new int[tables.kindOf.length];
        Arrays.fill(machineOf, NOWHERE);
        position = new int[tables.kindOf.length];
        residents = new Residents[machines];
        loads = new double[machines][tables.amounts.size()];
        for (int machine = 0; machine < machines; machine++) {
            residents[machine] = new Residents();
        }
        for (int i = 0; i < tables.occupantsMachine.length; i++) {
            attach(tables.movable + i, tables.occupantsMachine[i]);
        }
    }

    /** Returns {@link #NOWHERE} for an instance that is on no machine. */
    int machineOf(int instance) {
        return machineOf[instance];
    }

    /** Returns what is on {@code machine}, as it is at any time. */
    Residents on(int machine) {
        return residents[machine];
    }

    /** Puts an instance that is nowhere on a machine. */
    void attach(int instance, int machine) {
        Residents there = residents[machine];
        machineOf[instance] = machine;
        position[instance] = there.count;
        there.append(instance);
        double[] size = tables.sizes[tables.kindOf[instance]];
        for (int amount = 0; amount < size.length; amount++) {
            loads[machine][amount] += size[amount];
        }
    }

    /** Takes an instance away from where it is. */
    void detach(int instance) {
        int machine = machineOf[instance];
        Residents there = residents[machine];
        int end = there.instances[--there.count];
        there.instances[position[instance]] = end;
        position[end] = position[instance];
        machineOf[instance] = NOWHERE;
        double[] size = tables.sizes[tables.kindOf[instance]];
        for (int amount = 0; amount < size.length; amount++) {
            loads[machine][amount] = Problem.Tables.left(loads[machine][amount], size[amount]);
        }
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

    /** Returns by which shares the capacities of {@code machine} are exceeded, summed up; 0 if everything fits. */
    double excess(int machine) {
        double over = 0;
        for (int amount = 0; amount < loads[machine].length; amount++) {
            over += Problem.Tables.excess(loads[machine][amount], tables.capacities[machine][amount]);
        }
        return over;
    }

    /** Returns how much is taken of each amount. */
    Map<String, Double> load(int machine) {
        Map<String, Double> load = new LinkedHashMap<>();
        for (int amount = 0; amount < tables.amounts.size(); amount++) {
            load.put(tables.amounts.get(amount), loads[machine][amount]);
        }
        return load;
    }

    /** Returns the machine of each instance that moves. */
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
    }

    /** Returns what is placed as a plan; instances that are nowhere are left out. */
    Plan plan() {
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

    /** The instances on a machine, and, as a list, their tiers. */
    final class Residents extends AbstractList<Tier> {
        private int[] instances = new int[8];
        private int count;

        private void append(int instance) {
            if (count == instances.length) {
                instances = Arrays.copyOf(instances, 2 * count);
            }
            instances[count++] = instance;
        }

        int instance(int index) {
            return instances[index];
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
