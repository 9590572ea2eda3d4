package org.interference.yarn.wire.intpd;

import java.util.Objects;

/** What intpd has counted of one signal of one container, or why it has not; units are in the protocol's table. */
public sealed interface IntpdCount {
    /** Who counted: {@code ebpf}, {@code proc}, {@code resctrl}, ... */
    String source();

    /**
     * Two counts since the container is watched.
     *
     * @param used finite and {@code >= 0}
     * @param capacity in the unit of {@code used}, finite and {@code >= 0}
     * @param apportioned whether {@code used} is a share of a figure that the kernel keeps for several containers
     */
    record Counted(double used, double capacity, boolean apportioned, String source) implements IntpdCount {
        public Counted {
            Objects.requireNonNull(source, "source is null");
        }
    }

    /** No count, and why. */
    record Unavailable(String reason, String source) implements IntpdCount {
        public Unavailable {
            Objects.requireNonNull(reason, "reason is null");
            Objects.requireNonNull(source, "source is null");
        }
    }
}
