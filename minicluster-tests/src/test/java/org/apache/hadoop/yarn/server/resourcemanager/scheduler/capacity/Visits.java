package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;

/** What a thread of asynchronous scheduling does, by hand. In YARN's package, because YARN keeps that method there. */
public final class Visits {
    private Visits() {}

    /** Offers {@code node} to the queues, as in the course of a pass over all nodes. */
    public static void visit(MockRM rm, MockNM node) {
        CapacityScheduler scheduler = (CapacityScheduler) rm.getResourceScheduler();
        FiCaSchedulerNode visited = scheduler.getNode(node.getNodeId());
        scheduler.allocateContainersToNode(new SimpleCandidateNodeSet<>(visited), false);
        rm.drainEvents();
    }

    /** Does the same, if a thread of YARN's would: it leaves out nodes that are gone, do not run, or have missed heartbeats. */
    public static boolean visitIfRunning(MockRM rm, MockNM node) {
        if (isLeftOut(rm, node)) {
            return false;
        }
        visit(rm, node);
        return true;
    }

    /** Returns whether a thread of asynchronous scheduling leaves {@code node} out. */
    public static boolean isLeftOut(MockRM rm, MockNM node) {
        CapacityScheduler scheduler = (CapacityScheduler) rm.getResourceScheduler();
        FiCaSchedulerNode visited = scheduler.getNode(node.getNodeId());
        return visited == null || CapacityScheduler.shouldSkipNodeSchedule(visited, scheduler, false);
    }
}
