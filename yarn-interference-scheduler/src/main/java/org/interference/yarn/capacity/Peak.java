package org.interference.yarn.capacity;

import java.util.List;
import java.util.Optional;

/**
 * The most memory that a container will use, as far as its kind tells. Immutable.
 *
 * @param meanMb MiB
 * @param variance MiB squared
 */
record Peak(double meanMb, double variance) {
    /** Of fewer tasks nobody knows how far they differ. */
    private static final long LEAST_TASKS = 5;

    /** Returns the peak of a container that requests so much; of an unknown kind all of that. */
    static Peak of(Optional<KindMemory> kind, Size request) {
        return kind.filter(known -> known.tasks() >= LEAST_TASKS)
                .map(Peak::of)
                .orElseGet(() -> new Peak(request.memoryMb(), 0));
    }

    /** The highest of n peaks is about so far above their mean as the highest of n normal numbers is; peaks differ, relatively, as means do. */
    private static Peak of(KindMemory kind) {
        double relative = kind.meanMb() > 0 ? kind.deviationMb() / kind.meanMb() : 0;
        double mean = kind.highMb() / (1 + relative * highest(kind.tasks()));
        return new Peak(mean, relative * mean * relative * mean);
    }

    /** Returns the mean of the highest of {@code n} standard normal numbers: Blom's (1958) plotting position, by Tukey's lambda for the normal quantile. */
    private static double highest(long n) {
        double p = (n - 0.375) / (n + 0.25);
        return 4.91 * (Math.pow(p, 0.14) - Math.pow(1 - p, 0.14));
    }

    /** Returns the peak of one of those that wait, whichever it is: one kind is as likely as another. There must be somebody. */
    static Peak ofAny(List<WaitingKind> waiting) {
        double mean = 0;
        double square = 0;
        for (WaitingKind kind : waiting) {
            Peak peak = of(kind.memory(), kind.request());
            mean += peak.meanMb / waiting.size();
            square += (peak.variance + peak.meanMb * peak.meanMb) / waiting.size();
        }
        return new Peak(mean, Math.max(0, square - mean * mean));
    }
}
