package org.interference.yarn.capacity;

import java.util.List;

/**
 * What the containers of a node will use of its memory at the most. Immutable.
 *
 * <p>Mean plus {@value #SIGMAS} standard deviations of the sum of their peaks, as "N-sigma" of Bashir et al. ("Take it to the Limit", EuroSys 2021) does of what a machine's
 * tasks use. There a machine's own history tells both; here containers live for minutes, and their kinds tell: mean and variance of the sum are the sums of
 * the kinds'. None is expected to use less than it does.
 *
 * @param usedMb by those that tell, together
 * @param meanMb sum of the peaks' means
 * @param variance sum of the peaks' variances, MiB squared
 */
record MemoryEstimate(double usedMb, double meanMb, double variance) {
    /** Of a normal distribution 99.9 % is below. */
    private static final double SIGMAS = 3;

    private static final MemoryEstimate NONE = new MemoryEstimate(0, 0, 0);

    static MemoryEstimate of(List<RunningContainer> running) {
        MemoryEstimate all = NONE;
        for (RunningContainer container : running) {
            double used = Math.max(0, container.usedMb().orElse(0));
            Peak peak = Peak.of(container.memory(), container.requested());
            all = all.with(used, new Peak(Math.max(used, peak.meanMb()), peak.variance()));
        }
        return all;
    }

    /** Returns this with one more that is yet to come. */
    MemoryEstimate with(Peak newcomer) {
        return with(0, newcomer);
    }

    private MemoryEstimate with(double used, Peak peak) {
        return new MemoryEstimate(usedMb + used, meanMb + peak.meanMb(), variance + peak.variance());
    }

    /** Returns what is expected to be used at the most, MiB. */
    double mostMb() {
        return meanMb + SIGMAS * Math.sqrt(variance);
    }
}
