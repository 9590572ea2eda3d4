package org.interference.yarn.sim.engine;

import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.Seeds;

/**
 * How much longer or shorter a task takes than its kind, with nobody beside it: lognormal, median 1.
 *
 * <p>Its coefficient of variation is that of the resource that the task uses most, as measured on virtual machines over 483 days
 * (Azure VM noise, 2024): CPU 0.4 to 1 %, memory bandwidth 2.5 to 6 %, cache 14 to 15 %, local disk 27 to 37 %. Network was not
 * measured there; it is taken as memory's. A task has the same noise under every policy.
 */
public final class TaskNoise {
    private static final Map<SharedResource, Double> VARIATION = new EnumMap<>(Map.of(
            SharedResource.CPU, 0.01,
            SharedResource.MEMORY_BANDWIDTH, 0.05,
            SharedResource.NETWORK, 0.05,
            SharedResource.CACHE, 0.15,
            SharedResource.DISK, 0.30));

    private TaskNoise() {}

    /**
     * Returns the seconds that a task takes alone.
     *
     * @param job which it is of, in the order of their submission
     * @param number of the task in its job
     */
    public static double work(SimTask task, long seed, int job, int number) {
        SimTaskKind kind = task.kind();
        SharedResource most = SharedResource.CPU;
        for (SharedResource resource : SharedResource.values()) {
            most = kind.demand(resource) > kind.demand(most) ? resource : most;
        }
        double variation = VARIATION.get(most);
        double sigma = Math.sqrt(StrictMath.log(1 + variation * variation));
        double factor = StrictMath.exp(sigma * Seeds.normal(Seeds.of(seed, job, number)));
        return task.solo().toMillis() / 1000.0 * factor;
    }
}
