package org.interference.yarn.sim.world;

import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * How much more tasks request than they use. Immutable.
 *
 * <p>An application requests {@code r} times the memory that its tasks use at their peak, and {@code r'} times the work of CPUs, memory bandwidth and cache that they
 * do, with {@code r} and {@code r'} by a hash of its name, evenly between {@code least} and {@code most}. A task's peak is off its application's by a lognormal factor of
 * median 1 and {@code spread}, and never above the request, for which YARN would kill it. It uses 0.6 of its peak in the first quarter of its work, 0.8 in the second, then all.
 *
 * @param least ratio of request to use, {@code >= 1}
 * @param most the largest ratio
 * @param spread standard deviation of the logarithm of peaks within one application
 * @param ofDisksAndNetwork whether tasks also use the disks and the network that many times less. No request names them
 */
public record RequestRatios(double least, double most, double spread, boolean ofDisksAndNetwork) {
    /** Of tasks of one program on parts of one input. */
    static final double USUAL_SPREAD = 0.1;

    /** Nodes tell nothing of memory, and it never runs out. */
    public static final RequestRatios UNTOLD = new RequestRatios(0, 0, 0, false);

    /** Tasks use what they request. */
    public static final RequestRatios AS_USED = new RequestRatios(1, 1, USUAL_SPREAD, false);

    /** Where a task's memory grows. */
    private static final double[] STEPS = {0.25, 0.5};

    private static final double[] SHARES = {0.6, 0.8, 1};
    private static final long MEMORY = 1;
    private static final long WORK = 2;

    /** Returns whether memory is anything here. */
    public boolean areTold() {
        return least > 0;
    }

    /** Returns where a task's memory grows, as a share of its work, ascending. */
    public static double[] steps() {
        return STEPS.clone();
    }

    /** Returns what a task of {@code kind} does, of which {@code application} requests more. */
    public SimTaskKind used(SimTaskKind kind, String application) {
        if (!areTold() || most == 1) {
            return kind;
        }
        double ratio = ratio(application, WORK);
        Map<SharedResource, Double> used = new EnumMap<>(SharedResource.class);
        for (SharedResource resource : SharedResource.values()) {
            boolean requested = resource != SharedResource.DISK && resource != SharedResource.NETWORK;
            used.put(resource, kind.demand(resource) / (requested || ofDisksAndNetwork ? ratio : 1));
        }
        return new SimTaskKind(kind.name(), used);
    }

    /**
     * Returns the peak of a task's memory, as a share of what it requests.
     *
     * @param draw a standard normal number of this task's own
     */
    public double peak(String application, double draw) {
        return Math.min(1, StrictMath.exp(spread * draw) / ratio(application, MEMORY));
    }

    /** Returns what share of its peak a task uses that has done {@code progress} of its work. */
    public static double share(double progress) {
        int step = 0;
        while (step < STEPS.length && progress >= STEPS[step]) {
            step++;
        }
        return SHARES[step];
    }

    private double ratio(String application, long what) {
        return least + (most - least) * Seeds.uniform(Seeds.of(what, application.hashCode()));
    }
}
