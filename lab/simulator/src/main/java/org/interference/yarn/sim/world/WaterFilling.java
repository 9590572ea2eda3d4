package org.interference.yarn.sim.world;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * Max-min fair shares of capacities that shrink under concurrency.
 *
 * <p>{@code C_r = g / (1 + loss_r * max(0, m_r - 1))}, with {@code m_r = sum min(1, d_jr / 0.3)} the users of resource r: seeks,
 * switches, thrash. Shares {@code s_ir} fill {@code C_r} by max-min. Beyond a full cache every task moves {@code 1 + k * over^2} times
 * its bytes. Times add: {@code slowdown_i = sum over r of w_ir * d_ir / s_ir}, with {@code w_ir = d_ir^2 / sum d_i^2}
 * the share of its time that the task spends on r. A task presses more on disk and network in the first half of its work
 * (it reads), and more on CPU and memory in the second.
 */
final class WaterFilling implements GroundTruth {
    private static final double FULL_USER = 0.3;
    private static final double HALF = 0.5;
    private static final double PHASE_SWING = 0.25;
    private static final SharedResource[] RESOURCES = SharedResource.values();

    private final double generosity;
    private final Map<SharedResource, Double> loss;
    private final double cacheInflation;

    /**
     * @param generosity how much of each resource there is, at least 1
     * @param loss of capacity for each further full user, at least 0
     * @param cacheInflation {@code k}, at least 0
     */
    WaterFilling(double generosity, Map<SharedResource, Double> loss, double cacheInflation) {
        this.generosity = generosity;
        this.loss = new EnumMap<>(loss);
        this.cacheInflation = cacheInflation;
    }

    @Override
    public List<Double> phaseEnds() {
        return List.of(HALF);
    }

    @Override
    public double demand(Load load, SharedResource resource) {
        boolean reads = resource == SharedResource.DISK || resource == SharedResource.NETWORK;
        boolean firstHalf = load.progress() < HALF;
        double swing = reads == firstHalf ? 1 + PHASE_SWING : 1 - PHASE_SWING;
        return Math.min(1, load.kind().demand(resource) * swing);
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        return slowdowns(together, EnumSet.allOf(SharedResource.class));
    }

    /** {@inheritDoc} The time that a task spends on the others is what it is alone. */
    @Override
    public double[] slowdowns(List<Load> together, Set<SharedResource> resources) {
        double[] slowdowns = new double[together.size()];
        double[] squares = new double[together.size()];
        for (SharedResource resource : RESOURCES) {
            double[] demands = demands(together, resource);
            for (int task = 0; task < squares.length; task++) {
                squares[task] += demands[task] * demands[task];
            }
        }
        double inflation = inflation(demands(together, SharedResource.CACHE));
        for (SharedResource resource : RESOURCES) {
            double[] demands = demands(together, resource);
            double[] stretched = stretched(resource, demands, inflation);
            for (int task = 0; task < demands.length; task++) {
                double weight = demands[task] == 0 ? 0 : demands[task] * demands[task] / squares[task];
                slowdowns[task] += weight * (resources.contains(resource) ? stretched[task] : 1);
            }
        }
        // At least 1: the last bits of a sum of weights, and a task that presses on nothing.
        return Arrays.stream(slowdowns).map(slowdown -> Math.max(1, slowdown)).toArray();
    }

    private double[] demands(List<Load> together, SharedResource resource) {
        return together.stream().mapToDouble(load -> demand(load, resource)).toArray();
    }

    /** Returns how much longer each task needs for what it does on {@code resource}. */
    private double[] stretched(SharedResource resource, double[] demands, double inflation) {
        if (resource == SharedResource.CACHE) {
            return Arrays.stream(demands).map(demand -> inflation).toArray();
        }
        double factor = resource == SharedResource.MEMORY_BANDWIDTH ? inflation : 1;
        double[] pressed = Arrays.stream(demands).map(demand -> demand * factor).toArray();
        double level = waterLevel(pressed, capacity(resource, demands));
        return Arrays.stream(pressed).map(demand -> Math.max(1, demand / level)).toArray();
    }

    private double inflation(double[] occupancies) {
        double over = Math.max(0, Arrays.stream(occupancies).sum() - 1);
        return 1 + cacheInflation * over * over;
    }

    private double capacity(SharedResource resource, double[] demands) {
        double users = Arrays.stream(demands)
                .map(demand -> Math.min(1, demand / FULL_USER))
                .sum();
        return generosity / (1 + loss.getOrDefault(resource, 0.0) * Math.max(0, users - 1));
    }

    /** Returns the share that nobody gets more of; infinite if all get what they ask for. */
    private static double waterLevel(double[] demands, double capacity) {
        double[] ascending = demands.clone();
        Arrays.sort(ascending);
        double left = capacity;
        for (int i = 0; i < ascending.length; i++) {
            double equal = left / (ascending.length - i);
            if (ascending[i] > equal) {
                return equal;
            }
            left -= ascending[i];
        }
        return Double.POSITIVE_INFINITY;
    }
}
