package org.interference.yarn.nm.control;

import java.util.Map;
import java.util.OptionalDouble;

/** How much faster a node works in one window than in another: the logarithm of the ratio of its rates of work. Pure. */
@FunctionalInterface
interface Gain {
    /** Below these a second, a quantity is not what a container's work consists in. */
    Map<Quantity, Double> LEAST = Map.of(
            Quantity.ON_CPU,
            0.01,
            Quantity.NETWORK,
            0.005,
            Quantity.READ_BYTES,
            65_536.0,
            Quantity.WRITTEN_BYTES,
            65_536.0);

    /** A container that stands still has lost, but not infinitely. */
    double WORST = 0.05;

    /** Returns the gain from {@code before} to {@code after}; empty where no container did anything in both. */
    OptionalDouble of(Map<String, Usage> before, Map<String, Usage> after);

    /**
     * Each container counts alike: the mean over those in both windows of the logarithm of its ratio, which is the mean over what its
     * work consists in.
     */
    static OptionalDouble ofEach(Map<String, Usage> before, Map<String, Usage> after) {
        return before.entrySet().stream()
                .filter(entry -> after.containsKey(entry.getKey()))
                .map(entry -> LEAST.entrySet().stream()
                        .filter(least -> entry.getValue().rateOrNone(least.getKey()) >= least.getValue())
                        .mapToDouble(least -> logarithm(
                                entry.getValue().rateOrNone(least.getKey()),
                                after.get(entry.getKey()).rateOrNone(least.getKey())))
                        .average())
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    /** Bytes count alike, whoever's they are, if both kinds of his are counted: to favour one container over another is what disk shares are for. */
    static OptionalDouble ofAllBytes(Map<String, Usage> before, Map<String, Usage> after) {
        double earlier = 0;
        double later = 0;
        for (Map.Entry<String, Usage> entry : before.entrySet()) {
            OptionalDouble one = entry.getValue().diskRate();
            OptionalDouble other =
                    after.getOrDefault(entry.getKey(), Usage.NONE).diskRate();
            if (one.isPresent() && other.isPresent()) {
                earlier += one.getAsDouble();
                later += other.getAsDouble();
            }
        }
        return earlier < DiskShares.LEAST_RATE ? OptionalDouble.empty() : OptionalDouble.of(logarithm(earlier, later));
    }

    private static double logarithm(double before, double after) {
        return Math.log(Math.max(WORST, after / before));
    }
}
