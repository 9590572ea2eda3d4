package org.interference.yarn.nm.control;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a node's controller decides.
 *
 * @param interval from one tick to the next
 * @param cleaning after which what containers used is counted anew for their class
 * @param cores empty where cores are not allocated
 * @param disk empty where the disks are not shared out
 * @param diskCapacity bytes a second that the disks can do; empty where it is learnt while they are known to be saturated
 * @param firstHoldOff after a step back; doubles with each
 */
public record ControlSettings(
        Duration interval,
        Duration cleaning,
        Classifier classifier,
        Optional<CoreRule> cores,
        Optional<DiskShares> disk,
        OptionalDouble diskCapacity,
        Duration firstHoldOff,
        Duration longestHoldOff) {
    public ControlSettings {
        Objects.requireNonNull(interval, "interval is null");
        Objects.requireNonNull(cleaning, "cleaning is null");
        Objects.requireNonNull(classifier, "classifier is null");
        Objects.requireNonNull(cores, "cores is null");
        Objects.requireNonNull(disk, "disk is null");
        Objects.requireNonNull(diskCapacity, "diskCapacity is null");
        Objects.requireNonNull(firstHoldOff, "firstHoldOff is null");
        Objects.requireNonNull(longestHoldOff, "longestHoldOff is null");
    }

    /**
     * Returns CSS as published: SBCC and CTBRA with the parameters of its Table 4. Sharing out the disks is no part of it, and as it is given.
     *
     * @param firstHoldOff of the disks alone: nothing is taken back of what CTBRA gives
     */
    public static ControlSettings published(
            Optional<DiskShares> disk, OptionalDouble diskCapacity, Duration firstHoldOff, Duration longestHoldOff) {
        return new ControlSettings(
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                new Sbcc(30),
                Optional.of(new Ctbra(2)),
                disk,
                diskCapacity,
                firstHoldOff,
                longestHoldOff);
    }

    /** Returns these with other means. */
    public ControlSettings with(Optional<CoreRule> otherCores, Optional<DiskShares> otherDisk) {
        return new ControlSettings(
                interval, cleaning, classifier, otherCores, otherDisk, diskCapacity, firstHoldOff, longestHoldOff);
    }

    /** Whether there is nothing that a controller with these could do. */
    public boolean changesNothing() {
        return cores.isEmpty() && disk.isEmpty();
    }
}
