package org.interference.yarn.testbed;

import java.time.Duration;
import java.util.List;

/**
 * One application of a run.
 *
 * @param number from 1, in the order of submission
 * @param containers how many do the kind's work; 0 for an application that brings its own
 * @param hosts one for each container, where it has to run; empty if anywhere
 * @param submitted after the start of the run
 */
public record MixJob(int number, Kind kind, String queue, int containers, List<String> hosts, Duration submitted) {
    public MixJob {
        hosts = List.copyOf(hosts);
    }

    /** The tag by which its application is found again. */
    public String tag() {
        return "testbed-job-" + number;
    }
}
