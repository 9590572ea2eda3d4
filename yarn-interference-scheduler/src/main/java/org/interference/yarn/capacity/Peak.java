package org.interference.yarn.capacity;

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
        return kind.flatMap(KindMemory::peak).orElseGet(() -> new Peak(request.memoryMb(), 0));
    }

    /**
     * Returns the peak of a task of a kind; empty of too few. The highest of n peaks is about so far above their mean as the highest of n normal numbers is; peaks differ, relatively, as
     * means do.
     */
    static Optional<Peak> of(double meanMb, double deviationMb, double highMb, long tasks) {
        if (tasks < LEAST_TASKS) {
            return Optional.empty();
        }
        double relative = meanMb > 0 ? deviationMb / meanMb : 0;
        double mean = highMb / (1 + relative * highest(tasks));
        return Optional.of(new Peak(mean, relative * mean * relative * mean));
    }

    /** Returns the mean of the highest of {@code n} standard normal numbers: Blom's (1958) plotting position, by Tukey's lambda for the normal quantile. */
    private static double highest(long n) {
        double p = (n - 0.375) / (n + 0.25);
        return 4.91 * (Math.pow(p, 0.14) - Math.pow(1 - p, 0.14));
    }
}
