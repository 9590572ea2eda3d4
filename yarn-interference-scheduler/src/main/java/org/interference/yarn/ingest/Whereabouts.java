package org.interference.yarn.ingest;

import java.util.OptionalInt;
import java.util.OptionalLong;

/** What the scheduler knows of where a container is. Called on the thread that decodes, with ids that nobody has checked. */
@FunctionalInterface
public interface Whereabouts {
    /** Where a container is, seen from the node that reports it. */
    enum Answer {
        /** It has been allocated on that node. */
        HERE,
        /** It has been allocated on another node. */
        ELSEWHERE,
        /** The scheduler knows no such container, or not any more. */
        UNKNOWN
    }

    /** Whatever a node says is its own. For nodes that cannot lie, as in a simulation. */
    Whereabouts AS_REPORTED = (container, node) -> Answer.HERE;

    /**
     * Returns whether {@code container} is on {@code node}.
     *
     * @param node host and port, as YARN writes a node id
     */
    Answer of(String container, String node);

    /**
     * Returns for how long a container that is {@link Answer#HERE} can have run at most, in ms, by one clock of this side; empty if nobody
     * knows.
     */
    default OptionalLong longestRunMillis(String container) {
        return OptionalLong.empty();
    }

    /** Returns how many containers the scheduler has on {@code node}; empty if nobody knows. */
    default OptionalInt allocated(String node) {
        return OptionalInt.empty();
    }
}
