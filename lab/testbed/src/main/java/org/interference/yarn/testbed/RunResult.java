package org.interference.yarn.testbed;

import java.util.List;

/**
 * One run that came to its end.
 *
 * @param slots how many containers all hosts can have at once
 */
record RunResult(
        RunKey key, RunConditions conditions, int slots, List<JobResult> jobs, List<ContainerResult> containers) {
    RunResult {
        jobs = List.copyOf(jobs);
        containers = List.copyOf(containers);
    }
}
