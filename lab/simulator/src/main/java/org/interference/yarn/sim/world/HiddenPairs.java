package org.interference.yarn.sim.world;

import java.util.List;
import java.util.Set;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * Another truth, times a factor for each pair of applications that no counter reveals.
 *
 * <p>{@code 1 + strength * u^2}, with {@code u} in [0, 1) from a hash of the two names: a few pairs hurt, most hardly do.
 */
final class HiddenPairs implements GroundTruth {
    private final GroundTruth visible;
    private final double strength;

    HiddenPairs(GroundTruth visible, double strength) {
        this.visible = visible;
        this.strength = strength;
    }

    @Override
    public double[] slowdowns(List<Load> together) {
        double[] slowdowns = visible.slowdowns(together);
        for (int task = 0; task < slowdowns.length; task++) {
            for (int other = 0; other < slowdowns.length; other++) {
                if (other != task) {
                    double u = uniform(
                            together.get(task).application(),
                            together.get(other).application());
                    slowdowns[task] *= 1 + strength * u * u;
                }
            }
        }
        return slowdowns;
    }

    @Override
    public double[] slowdowns(List<Load> together, Set<SharedResource> resources) {
        return visible.slowdowns(together, resources);
    }

    @Override
    public List<Double> phaseEnds() {
        return visible.phaseEnds();
    }

    @Override
    public double demand(Load load, SharedResource resource) {
        return visible.demand(load, resource);
    }

    private static double uniform(String one, String other) {
        return Seeds.uniform(Seeds.mix(one.hashCode() * 31L + other.hashCode()));
    }
}
