package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import java.lang.reflect.Method;
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
        return visited == null || isSkipped(visited, scheduler);
    }

    /** Private before Hadoop 3.4. */
    private static boolean isSkipped(FiCaSchedulerNode node, CapacityScheduler scheduler) {
        try {
            Method guard = CapacityScheduler.class.getDeclaredMethod(
                    "shouldSkipNodeSchedule", FiCaSchedulerNode.class, CapacityScheduler.class, boolean.class);
            guard.setAccessible(true);
            return (boolean) guard.invoke(null, node, scheduler, false);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("YARN has this guard no more", e);
        }
    }
}
