package org.interference.yarn.nm.collect;

import java.util.HashMap;
import java.util.Map;

/**
 * Apportions the time that the disks spent on requests to the containers that caused them.
 *
 * <p>Reads go by the bytes of the same window. Writes go by the bytes that a container dirtied and the disks have not
 * yet written: writeback comes seconds later and from the kernel's own threads. What the containers do not explain
 * belongs to other processes of the node and goes to nobody.
 */
final class BlockShares {
    /** Dirtied bytes that a network file system or a deleted file swallowed never reach a disk and must fade. */
    private static final double HALF_LIFE_NANOS = 60e9;

    private static final double NANOS_PER_MILLI = 1e6;

    private Map<String, Double> unwritten = new HashMap<>();

    /** Returns the request time in ns of this window per container; {@code growths} names every container that is left. */
    Map<String, Double> apportion(DiskCounts disks, Map<String, Growth> growths, long elapsedNanos) {
        double fade = Math.pow(0.5, elapsedNanos / HALF_LIFE_NANOS);
        Map<String, Double> dirty = new HashMap<>();
        double read = 0;
        double written = 0;
        for (Map.Entry<String, Growth> growth : growths.entrySet()) {
            double left = unwritten.getOrDefault(growth.getKey(), 0.0) * fade
                    + growth.getValue().writtenBytes();
            dirty.put(growth.getKey(), left);
            read += growth.getValue().readBytes();
            written += left;
        }
        double diskRead = disks.readBytes();
        double diskWritten = disks.writtenBytes();
        Map<String, Double> nanos = new HashMap<>();
        for (Map.Entry<String, Growth> growth : growths.entrySet()) {
            double ownRead = growth.getValue().readBytes();
            double readShare = share(ownRead, diskRead, read);
            double writeShare = share(dirty.get(growth.getKey()), diskWritten, written);
            dirty.computeIfPresent(growth.getKey(), (id, left) -> Math.max(0, left - writeShare * diskWritten));
            nanos.put(
                    growth.getKey(),
                    (readShare * disks.readMillis() + writeShare * disks.writeMillis()) * NANOS_PER_MILLI);
        }
        unwritten = dirty;
        return nanos;
    }

    private static double share(double own, double disks, double containers) {
        double all = Math.max(disks, containers);
        return all == 0 ? 0 : own / all;
    }
}
