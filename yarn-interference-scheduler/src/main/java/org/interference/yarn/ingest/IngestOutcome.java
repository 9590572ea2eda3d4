package org.interference.yarn.ingest;

/** What became of a heartbeat's payload, and of a node's newest sample; also the name of its counter. */
public enum IngestOutcome {
    ACCEPTED,
    /** Accepted, but the node's clock is far from the ResourceManager's; it dates the report and decides nothing. */
    CLOCK_SKEWED,
    /** Accepted, but for containers of other nodes, with levels that none can have, or observed for more time than has passed. */
    NOT_BELIEVED,
    /** Not a report, or one that breaks a rule of the format. */
    MALFORMED,
    /** More bytes than are read. */
    OVERSIZED,
    /** Written by a sender whose format this version does not know. */
    UNKNOWN_VERSION,
    /** The report that is held already: a node that heartbeats faster than it samples sends one twice. */
    REPEATED,
    /** Older than what is held of the same sender. */
    LATE,
    /** Never decoded: a newer one of the same node came first. Reports are cumulative, so nothing is lost. */
    COALESCED,
    /** A node's newest sample became too old to decide on. Counted once for each time that it happens to a node. */
    STALE,
    /** Our own failure; the payload is ignored. */
    FAILED
}
