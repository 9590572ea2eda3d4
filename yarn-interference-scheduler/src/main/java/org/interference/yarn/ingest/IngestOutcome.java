package org.interference.yarn.ingest;

/** What became of a heartbeat's payload; also the name of its counter. */
public enum IngestOutcome {
    ACCEPTED,
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
    /** The node's clock is too far from the ResourceManager's. */
    CLOCK_SKEWED,
    /** Our own failure; the payload is ignored. */
    FAILED
}
