package org.interference.yarn.benchmarks.scheduler;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.interference.yarn.InterferenceAwareScheduler;

/** Ours, with a clock at its commits. Made by YARN, by reflection. */
public final class TimedInterferenceAwareScheduler extends InterferenceAwareScheduler implements CommitClock.Owner {
    private final CommitClock clock = new CommitClock();

    @Override
    public CommitClock commitClock() {
        return clock;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the parent declares it.
    public boolean tryCommit(Resource cluster, ResourceCommitRequest request, boolean updatePending) {
        long start = System.nanoTime();
        boolean committed = super.tryCommit(cluster, request, updatePending);
        clock.committed(System.nanoTime() - start);
        return committed;
    }
}
