package org.interference.yarn.testbed;

import java.util.List;
import java.util.OptionalDouble;
import org.interference.yarn.lab.stats.JobTimes;

/**
 * What became of a job. Times in seconds since 1970.
 *
 * @param application empty if YARN never had it
 * @param submitted 0 if YARN never had it
 * @param started of its first container
 * @param state YARN's final status
 * @param containers how many it had on the hosts, an ApplicationMaster included
 * @param hosts which they were
 * @param slotSeconds containers' seconds, by YARN's count
 */
record JobResult(
        int number,
        String kind,
        String application,
        String queue,
        double submitted,
        OptionalDouble started,
        OptionalDouble ended,
        String state,
        int containers,
        List<String> hosts,
        double slotSeconds) {
    JobResult {
        hosts = List.copyOf(hosts);
    }

    JobTimes times() {
        return new JobTimes(
                submitted > 0 ? submitted : Double.NaN, started.orElse(Double.NaN), ended.orElse(Double.NaN));
    }

    boolean succeeded() {
        return state.equals("SUCCEEDED");
    }
}
