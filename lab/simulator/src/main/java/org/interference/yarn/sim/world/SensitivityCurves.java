package org.interference.yarn.sim.world;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * Convex sensitivity curves, one per resource, in the manner of Bubble-Up.
 *
 * <p>{@code x_ir = k * (d_ir / 0.5) * P_ir^c_r}, with {@code P_ir} what the neighbours press on r together and {@code c_r} its convexity; {@code
 * slowdown_i = 1 + max over r of x_ir + 0.25 * (sum of the others)}: the worst bottleneck hides most of the rest.
 */
final class SensitivityCurves implements GroundTruth {
    private static final double SENSITIVE = 0.5;
    private static final double HIDDEN = 0.25;
    private static final Map<SharedResource, Double> CONVEXITY = new EnumMap<>(Map.of(
            SharedResource.CPU, 1.5,
            SharedResource.DISK, 2.0,
            SharedResource.NETWORK, 1.5,
            SharedResource.MEMORY_BANDWIDTH, 2.0,
            SharedResource.CACHE, 2.5));

    private final double intensity;

    /** @param intensity {@code k}, at least 0 */
    SensitivityCurves(double intensity) {
        this.intensity = intensity;
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        double[] worst = new double[together.size()];
        double[] sum = new double[together.size()];
        for (SharedResource resource : SharedResource.values()) {
            double all = together.stream()
                    .mapToDouble(load -> load.kind().demand(resource))
                    .sum();
            for (int task = 0; task < worst.length; task++) {
                double own = together.get(task).kind().demand(resource);
                double pressure = Math.max(0, all - own);
                double added = intensity * own / SENSITIVE * StrictMath.pow(pressure, CONVEXITY.get(resource));
                worst[task] = Math.max(worst[task], added);
                sum[task] += added;
            }
        }
        double[] slowdowns = new double[worst.length];
        for (int task = 0; task < worst.length; task++) {
            slowdowns[task] = 1 + worst[task] + HIDDEN * (sum[task] - worst[task]);
        }
        return slowdowns;
    }
}
