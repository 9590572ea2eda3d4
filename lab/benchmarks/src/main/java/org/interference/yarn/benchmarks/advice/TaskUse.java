package org.interference.yarn.benchmarks.advice;

import java.time.Duration;
import java.time.Instant;

/**
 * A task of a trace that succeeded. Immutable.
 *
 * @param kind what tasks of one kind have in common
 * @param requestedBytes memory that was asked for
 * @param requestedCores CPUs that were asked for
 * @param usedCores CPUs that it kept busy, in the mean
 * @param peakBytes most memory that it was seen to have
 */
record TaskUse(
        String kind,
        double requestedBytes,
        int requestedCores,
        double usedCores,
        double peakBytes,
        Instant started,
        Instant finished) {
    /** A task has run for a second, at least: traces are of whole ones. */
    double seconds() {
        return Math.max(1, Duration.between(started, finished).toMillis() / 1000.0);
    }
}
