package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import java.util.List;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;

/** What a benchmark needs of the CapacityScheduler and YARN keeps in its package: stopping its threads, and doing their work. */
public final class SchedulingThreads {
    private SchedulingThreads() {}

    /** Returns whether it has threads that visit nodes, whether they report or not. */
    public static boolean hasAny(CapacityScheduler scheduler) {
        List<CapacityScheduler.AsyncScheduleThread> threads = scheduler.getAsyncSchedulerThreads();
        return threads != null && !threads.isEmpty();
    }

    /** Lets the threads of asynchronous scheduling go on; they look up every 100 ms. */
    public static void resume(CapacityScheduler scheduler) {
        scheduler.getAsyncSchedulerThreads().forEach(CapacityScheduler.AsyncScheduleThread::beginSchedule);
    }

    /** Lets the threads of asynchronous scheduling stop after the pass they are in. */
    public static void suspend(CapacityScheduler scheduler) {
        scheduler.getAsyncSchedulerThreads().forEach(CapacityScheduler.AsyncScheduleThread::suspendSchedule);
    }

    /** Returns whether suspended threads have done their last pass, and what they proposed is committed. */
    public static boolean areIdle(CapacityScheduler scheduler) {
        // Nothing in a pass waits for a time, but for its end.
        List<CapacityScheduler.AsyncScheduleThread> threads = scheduler.getAsyncSchedulerThreads();
        return threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING)
                && scheduler.getAsyncSchedulingPendingBacklogs() == 0;
    }

    /** Offers {@code node}, as a scheduling thread does. Returns how many containers are proposed. */
    public static int offer(CapacityScheduler scheduler, NodeId node) {
        CSAssignment assignment =
                scheduler.allocateContainersToNode(new SimpleCandidateNodeSet<>(scheduler.getNode(node)), false);
        return assignment == null ? 0 : assignment.getAssignmentInformation().getNumAllocations();
    }

    /** Returns how many proposals of all schedulers of this process were refused so far. */
    public static long conflicts() {
        return CapacitySchedulerMetrics.getMetrics().commitFailure.lastStat().numSamples();
    }
}
