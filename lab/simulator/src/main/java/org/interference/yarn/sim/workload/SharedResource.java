package org.interference.yarn.sim.workload;

/** What tasks on one node share and can slow each other down on. */
public enum SharedResource {
    CPU,
    DISK,
    NETWORK,
    MEMORY_BANDWIDTH,
    CACHE
}
