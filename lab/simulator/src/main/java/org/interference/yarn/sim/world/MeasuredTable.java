package org.interference.yarn.sim.world;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * Slowdowns measured with real processes on shared, throttled resources, looked up by what the neighbours press together.
 *
 * <p>Medians of stress-ng, fio and iperf3 victims beside one stressor, Low, Moderate and High: CPU 1.19, 1.44, 1.78; disk,
 * sequential reads 1.03, 1.36, 1.68; network 1.12, 1.61, 2.15; memory and cache 1.0 to 1.2 without a clear order. Random
 * reads beside a saturating stressor took 20.7 times as long, and beside a lighter one no longer. Steps, not lines; pressure
 * beyond one whole resource adds another High. Of several resources the worst counts alone.
 */
final class MeasuredTable implements GroundTruth {
    private static final double FULLY_EXPOSED = 0.3;
    private static final double RANDOM_READ_CLIFF = 20.7;
    private static final double[] STEPS = {0.05, 0.2, 0.5};
    private static final Map<SharedResource, double[]> MEASURED = new EnumMap<>(Map.of(
            SharedResource.CPU, new double[] {1.19, 1.44, 1.78},
            SharedResource.DISK, new double[] {1.03, 1.36, 1.68},
            SharedResource.NETWORK, new double[] {1.12, 1.61, 2.15},
            SharedResource.MEMORY_BANDWIDTH, new double[] {1.04, 1.10, 1.20},
            SharedResource.CACHE, new double[] {1.04, 1.10, 1.20}));

    private final double intensity;
    private final Set<String> randomReaders;

    /**
     * @param intensity what of the measured excess over 1 counts, at least 0
     * @param randomReaders kinds that fall off the cliff
     */
    MeasuredTable(double intensity, Set<String> randomReaders) {
        this.intensity = intensity;
        this.randomReaders = Set.copyOf(randomReaders);
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        double[] slowdowns = new double[together.size()];
        for (int task = 0; task < slowdowns.length; task++) {
            Load own = together.get(task);
            double worst = 0;
            for (SharedResource resource : SharedResource.values()) {
                double pressure = 0;
                for (int other = 0; other < slowdowns.length; other++) {
                    pressure += other == task ? 0 : together.get(other).kind().demand(resource);
                }
                double exposure = Math.min(1, own.kind().demand(resource) / FULLY_EXPOSED);
                worst = Math.max(worst, exposure * intensity * excess(own, resource, pressure));
            }
            slowdowns[task] = 1 + worst;
        }
        return slowdowns;
    }

    private double excess(Load own, SharedResource resource, double pressure) {
        double[] factors = MEASURED.get(resource);
        double high = factors[2] - 1;
        if (pressure <= STEPS[0]) {
            return 0;
        }
        if (pressure <= STEPS[1]) {
            return factors[0] - 1;
        }
        if (pressure <= STEPS[2]) {
            return factors[1] - 1;
        }
        boolean cliff = resource == SharedResource.DISK
                && randomReaders.contains(own.kind().name());
        return cliff ? RANDOM_READ_CLIFF - 1 : high * Math.max(1, Math.ceil(pressure));
    }
}
