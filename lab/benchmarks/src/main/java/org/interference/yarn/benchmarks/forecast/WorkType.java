package org.interference.yarn.benchmarks.forecast;

import java.util.Locale;
import java.util.Set;

/** The types of work of which the published forecasts have one model each: disk stands for their databases, which had the disks as their limit. */
enum WorkType {
    CPU,
    MEMORY,
    DISK,
    NETWORK;

    private static final Set<String> MEMORY_KINDS = Set.of("memory-stream", "memory-touch", "cache-chase");
    private static final Set<String> DISK_KINDS = Set.of("cpu-disk", "cpu-write");

    static WorkType of(String kind) {
        if (MEMORY_KINDS.contains(kind)) {
            return MEMORY;
        }
        if (kind.startsWith("disk-") || DISK_KINDS.contains(kind)) {
            return DISK;
        }
        return kind.startsWith("network-") || kind.equals("cpu-network") ? NETWORK : CPU;
    }

    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }
}
