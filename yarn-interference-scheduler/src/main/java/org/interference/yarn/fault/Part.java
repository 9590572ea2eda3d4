package org.interference.yarn.fault;

/** A part of the plugin that may fail by itself. */
public enum Part {
    /** Ranking, matching and declining: the only errors that the breaker counts. */
    DECISION,
    /** Following containers from proposal to completion. */
    ACCOUNTING,
    /** Taking what nodes report. */
    INGEST,
    /** Profiles, observations, models, and who hurts whom. */
    LEARNING,
    /** Reading and writing the profile store and what is beside it. */
    STORE,
    /** Deciding how large nodes are, and making them so. */
    CAPACITY,
    /** Deciding which containers should leave their nodes, and asking them to. */
    RELOCATION,
    /** Answering a request. */
    REST,
    /** Publishing metrics. */
    METRICS,
    /** Starting, stopping and taking settings. */
    LIFE_CYCLE
}
