package org.interference.yarn.sim.command;

import java.util.function.ToDoubleFunction;
import org.interference.yarn.sim.report.RunMetrics;

/** What is shown of a run. */
enum Metric {
    MAKESPAN("makespan", "makespan s", true),
    TURNAROUND_MEAN("turnaround_mean", "turnaround s", true),
    TURNAROUND_P95("turnaround_p95", "p95 s", true),
    SLOWDOWN_MEAN("slowdown_mean", "slowdown", true),
    DENSITY("density", "slots in use", false),
    STARVED("starved", "starved", false),
    FAILED("failed", "failed", false);

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

    ToDoubleFunction<RunMetrics> of() {
        return switch (this) {
            case MAKESPAN -> RunMetrics::makespan;
            case TURNAROUND_MEAN -> RunMetrics::turnaroundMean;
            case TURNAROUND_P95 -> RunMetrics::turnaroundP95;
            case SLOWDOWN_MEAN -> RunMetrics::slowdownMean;
            case DENSITY -> RunMetrics::density;
            case STARVED -> RunMetrics::starved;
            case FAILED -> RunMetrics::failed;
        };
    }
}
