package org.interference.yarn.degradation;

/** What tiers that share a machine compete for. */
public enum Resource {
    CPU,
    MEMORY,
    DISK,
    CACHE
}
