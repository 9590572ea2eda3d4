package org.interference.yarn.sim.faults;

import java.util.List;

/** Something that happens to a cluster, whatever scheduler it has. Immutable. */
sealed interface Fault {
    /** What a store's file system does from now on. */
    enum Disk {
        WORKS,
        /** Nothing comes back. */
        HANGS,
        /** Everything is refused. */
        FAILS,
        /** Files can be made, and nothing be written. */
        FULL
    }

    /** What a false report says. */
    enum Lie {
        /**
         * Small levels of containers on other nodes, observed for hours; and of its own containers each in many spellings, many times in one report,
         * and from one report to the next a millisecond older.
         */
        FORGED,
        /** Levels that no machine has, of any containers. */
        ABSURD,
        /** What the node said before, word for word. */
        REPEATED,
        /** A sequence number of long ago. */
        OLD,
        /** Bytes that are no report. */
        NOISE
    }

    /** The node's heartbeats stop, and YARN gives it up at once. */
    record NodeLost(int node) implements Fault {}

    /** The node's heartbeats stop; YARN has not given it up. */
    record NodeSilent(int node) implements Fault {}

    /** The node's heartbeats go on; one that was given up registers. */
    record NodeBack(int node) implements Fault {}

    /** The NodeManager starts anew, without its containers. */
    record NodeRestarted(int node) implements Fault {}

    record NodeResized(int node, int slots) implements Fault {}

    /**
     * An administrator takes a node out.
     *
     * @param graceful what runs there may end
     */
    record Decommissioned(int node, boolean graceful) implements Fault {}

    /** The active ResourceManager ends, and one that stood by takes over, with the file as it is then. */
    record FailOver(boolean wrongFile) implements Fault {}

    /** {@code rmadmin -refreshQueues} with other shares, and with a wrong setting of ours or not. */
    record QueuesChanged(List<Integer> weights, boolean wrongFile) implements Fault {
        public QueuesChanged {
            weights = List.copyOf(weights);
        }
    }

    record StoreTurns(Disk to) implements Fault {}

    /** The machine's clock is set. */
    record ClockStepped(int seconds) implements Fault {}

    /** The machine stands still for so long at the {@code reading}-th time from now that the plugin looks at its steady clock. */
    record Pause(int millis, int reading) implements Fault {}

    /** From now on, and until told otherwise, the node says this beside the truth. */
    record Lies(int node, Lie lie) implements Fault {}

    record Honest(int node) implements Fault {}
}
