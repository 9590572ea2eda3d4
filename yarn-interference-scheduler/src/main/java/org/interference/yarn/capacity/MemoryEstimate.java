package org.interference.yarn.capacity;

import java.util.List;
import java.util.Optional;

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
public record MemoryEstimate(double usedMb, double meanMb, double variance) {
    /** Of a normal distribution 97.7 % is below. Whoever comes is asked for anew, and there is a reserve. */
    private static final double SIGMAS = 2;

    public static final MemoryEstimate NONE = new MemoryEstimate(0, 0, 0);

    static MemoryEstimate of(List<RunningContainer> running) {
        MemoryEstimate all = NONE;
        for (RunningContainer container : running) {
            all = all.with(container);
        }
        return all;
    }

    /** Returns this with one more that runs. */
    public MemoryEstimate with(RunningContainer container) {
        double used = Math.max(0, container.usedMb().orElse(0));
        Peak peak = Peak.of(container.memory(), container.requested());
        return with(used, new Peak(Math.max(used, peak.meanMb()), peak.variance()));
    }

    /** Returns this with one more that is yet to come, of a kind that is known or is not. */
    public MemoryEstimate with(Optional<KindMemory> kind, Size request) {
        return with(Peak.of(kind, request));
    }

    MemoryEstimate with(Peak newcomer) {
        return with(0, newcomer);
    }

    private MemoryEstimate with(double used, Peak peak) {
        return new MemoryEstimate(usedMb + used, meanMb + peak.meanMb(), variance + peak.variance());
    }

    /** Returns what is expected to be used at the most, MiB. */
    public double mostMb() {
        return meanMb + SIGMAS * Math.sqrt(variance);
    }
}
