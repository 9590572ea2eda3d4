package org.interference.yarn.signal;

import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What a node's controller makes of one container. Immutable.
 *
 * @param reason the figure against its bound, in words
 * @param cores the CPUs that it may use, in the kernel's notation; empty where it may use all
 * @param diskBytesPerSecond what it may read, and write, of the disks at most; empty where it is not limited
 * @param since when it was last changed, by the node's clock
 */
public record ControlStatus(
        WorkClass workClass, String reason, String cores, OptionalLong diskBytesPerSecond, Instant since) {
    public ControlStatus {
        Objects.requireNonNull(workClass, "workClass is null");
        Objects.requireNonNull(reason, "reason is null");
        Objects.requireNonNull(cores, "cores is null");
        Objects.requireNonNull(diskBytesPerSecond, "diskBytesPerSecond is null");
        Objects.requireNonNull(since, "since is null");
    }
}
