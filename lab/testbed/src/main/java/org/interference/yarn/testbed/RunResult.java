package org.interference.yarn.testbed;

import java.util.List;

/**
 * One run that came to its end.
 *
 * @param slots how many containers all hosts can have at once
 * @param usage how much of the cluster was in use, in the order of time
 */
record RunResult(
        RunKey key,
        RunConditions conditions,
        int slots,
        List<JobResult> jobs,
        List<ContainerResult> containers,
        List<ClusterUsage> usage) {
    RunResult {
        jobs = List.copyOf(jobs);
        containers = List.copyOf(containers);
        usage = List.copyOf(usage);
    }
}
