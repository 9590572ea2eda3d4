package org.interference.yarn.nm.control;

import java.util.HashMap;
import java.util.Map;

/**
 * What the disks have done since some time. Immutable.
 *
 * @param bytes that they read and wrote
 * @param busySeconds for which each of them had something to do; empty where that does not tell whether they could do more
 */
public record DiskUse(double bytes, Map<String, Double> busySeconds) {
    /** A disk that serves one request after the other and is busy for so much of the time can hardly do more. */
    private static final double SATURATED = 0.9;

    public DiskUse {
        busySeconds = Map.copyOf(busySeconds);
    }

    /**
     * Whether all of the disks are known to have done what they could since {@code earlier}.
     *
     * @param seconds that have passed since
     */
    boolean isSaturatedSince(DiskUse earlier, double seconds) {
        Map<String, Double> grown = new HashMap<>(busySeconds);
        grown.replaceAll((disk, busy) -> busy - earlier.busySeconds.getOrDefault(disk, busy));
        return !grown.isEmpty() && grown.values().stream().allMatch(busy -> busy >= SATURATED * seconds);
    }
}
