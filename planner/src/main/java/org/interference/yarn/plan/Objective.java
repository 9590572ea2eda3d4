package org.interference.yarn.plan;

/** Which factors of a machine's cost (equation 6.7) count; capacity always does. */
public enum Objective {
    /** CIAPA. */
    BOTH,
    /** As a planner that does not know who talks to whom. */
    INTERFERENCE_ONLY,
    /** As a planner that does not know who disturbs whom. */
    AFFINITY_ONLY
}
