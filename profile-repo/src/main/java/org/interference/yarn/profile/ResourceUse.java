package org.interference.yarn.profile;

import java.util.OptionalDouble;

/**
 * What one finished task was given and used, in units that mean the same on any node. Immutable.
 *
 * @param requestedBytes memory of its container, as YARN allocated it
 * @param requestedVcores of its container
 * @param seconds how long it was observed
 * @param peakBytes the highest working set that was seen
 * @param meanBytes the mean working set
 * @param cores how many CPUs it kept busy in the mean; empty where its node does not tell how many it has
 * @param machineBytes memory of the machine it ran on
 * @param exhausted whether YARN ended it because it took more memory than it was given: its peak would have been higher
 */
public record ResourceUse(
        double requestedBytes,
        int requestedVcores,
        double seconds,
        double peakBytes,
        double meanBytes,
        OptionalDouble cores,
        double machineBytes,
        boolean exhausted) {
    public ResourceUse {
        for (double figure : new double[] {requestedBytes, seconds, peakBytes, meanBytes, machineBytes}) {
            if (!(figure >= 0 && figure <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("a use must be finite and >= 0, got " + figure);
            }
        }
        if (requestedVcores < 0) {
            throw new IllegalArgumentException("vcores must be >= 0, got " + requestedVcores);
        }
    }

    /** Returns the memory that this task needed at least. */
    double neededBytes() {
        return exhausted ? Math.max(peakBytes, requestedBytes) : peakBytes;
    }
}
