package org.interference.yarn.signal;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a node does not tell one of its capacities. As of {@link Signal}, the id is the contract with the wire. */
public enum Untold {
    NO_DISK_SETTING(1, "nothing says what the disks can do: set yarn.interference.node-control.disk-bytes-per-second"),
    NO_INTERFACE(
            2, "no network interface with a device is up: set yarn.interference.nm.collect.network-bits-per-second"),
    NO_SPEED(
            3,
            "a network interface does not say its speed, as on most virtual machines: set"
                    + " yarn.interference.nm.collect.network-bits-per-second");

    private static final Map<Integer, Untold> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Untold::id, reason -> reason));

    private final int id;
    private final String reason;

    Untold(int id, String reason) {
        this.id = id;
        this.reason = reason;
    }

    /** From 1 to 255. */
    public int id() {
        return id;
    }

    /** Returns a sentence for people. */
    public String reason() {
        return reason;
    }

    /** Returns the reason with {@code id}; empty for an id of a newer peer. */
    public static Optional<Untold> ofId(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }
}
