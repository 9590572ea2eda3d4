package org.interference.yarn.sim.workload;

import java.util.List;
import java.util.Map;

/**
 * The kinds of task of the built-in patterns: fifteen applications as published, and two kinds of light task.
 *
 * <p>Which resource each of App01 to App15 is sensitive to is published (Xavier, PUCRS 2019, Table 4.2); by how much is not,
 * so that the levels are set after the mean IntP vectors published for one stressed resource at a time (cache: bandwidth 74 %, occupancy
 * 65 %, CPU 45 %; CPU: 99 %; disk: 23 %; memory: 52 %, 59 %, 99 %; network: 99 %), for tasks that get a quarter of a node.
 */
public final class SimTaskKinds {
    private static final List<SimTaskKind> ALL = List.of(
            kind("app01", 0.22, 0.00, 0.02, 0.30, 0.60),
            kind("app02", 0.24, 0.00, 0.05, 0.25, 0.50),
            kind("app03", 0.22, 0.02, 0.08, 0.35, 0.55),
            kind("app04", 0.15, 0.02, 0.20, 0.45, 0.40),
            kind("app05", 0.18, 0.03, 0.15, 0.55, 0.35),
            kind("app06", 0.15, 0.25, 0.15, 0.50, 0.25),
            kind("app07", 0.18, 0.15, 0.18, 0.55, 0.25),
            kind("app08", 0.25, 0.05, 0.03, 0.40, 0.20),
            kind("app09", 0.25, 0.03, 0.05, 0.45, 0.25),
            kind("app10", 0.25, 0.02, 0.05, 0.12, 0.15),
            kind("app11", 0.10, 0.15, 0.55, 0.10, 0.10),
            kind("app12", 0.12, 0.10, 0.65, 0.12, 0.10),
            kind("app13", 0.08, 0.55, 0.05, 0.08, 0.10),
            kind("app14", 0.12, 0.60, 0.15, 0.12, 0.12),
            kind("app15", 0.12, 0.70, 0.10, 0.10, 0.12),
            kind("light-cpu", 0.08, 0.00, 0.00, 0.02, 0.03),
            kind("light-idle", 0.01, 0.01, 0.01, 0.01, 0.01));

    private SimTaskKinds() {}

    /** Returns every kind, in a fixed order. */
    public static List<SimTaskKind> all() {
        return ALL;
    }

    private static SimTaskKind kind(
            String name, double cpu, double disk, double network, double bandwidth, double cache) {
        return new SimTaskKind(
                name,
                Map.of(
                        SharedResource.CPU, cpu,
                        SharedResource.DISK, disk,
                        SharedResource.NETWORK, network,
                        SharedResource.MEMORY_BANDWIDTH, bandwidth,
                        SharedResource.CACHE, cache));
    }
}
