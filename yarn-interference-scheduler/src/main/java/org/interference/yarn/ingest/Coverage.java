package org.interference.yarn.ingest;

import java.time.Duration;

/**
 * How well the nodes of a cluster are measured at one instant. Immutable.
 *
 * @param fresh nodes with a sample to decide on
 * @param stale nodes whose newest sample is too old, or frozen
 * @param neverSeen nodes that have sent no report: without the plugin, or only just registered
 * @param oldestSample age of the oldest newest sample; zero without any sample
 */
public record Coverage(int fresh, int stale, int neverSeen, Duration oldestSample) {
    /** Returns the share of nodes that can be decided on, from 0 to 1; 1 if there is no node. */
    public double share() {
        return nodes() == 0 ? 1 : (double) fresh / nodes();
    }

    /** Returns how many nodes there are. */
    public int nodes() {
        return fresh + stale + neverSeen;
    }
}
