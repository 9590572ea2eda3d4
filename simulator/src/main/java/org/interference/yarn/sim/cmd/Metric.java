package org.interference.yarn.sim.cmd;

/** What is shown of a run. */
enum Metric {
    MAKESPAN("makespan", "makespan s", true),
    TURNAROUND_MEAN("turnaround_mean", "turnaround s", true),
    TURNAROUND_P95("turnaround_p95", "p95 s", true),
    SLOWDOWN_MEAN("slowdown_mean", "slowdown", true),
    DENSITY("density", "slots in use", false),
    UNFINISHED("unfinished_jobs", "unfinished", false);

    private final String key;
    private final String heading;
    private final boolean compared;

    Metric(String key, String heading, boolean compared) {
        this.key = key;
        this.heading = heading;
        this.compared = compared;
    }

    String key() {
        return key;
    }

    String heading() {
        return heading;
    }

    /** Returns whether its relative change says something; lower is then better. */
    boolean isCompared() {
        return compared;
    }
}
