package org.interference.yarn.app;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.advice.Amount;
import org.interference.yarn.capacity.yarn.Sizes;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.rest.Sources;

/** What YARN's scheduler can be asked for, and is. Thread-safe. */
final class ClusterScheduling implements Sources.Scheduling {
    private final RMContext rmContext;
    private final YarnTasks tasks;
    private final LongSupplier wallClock;

    /** @param wallClock by which YARN says when a container was allocated, in ms since 1970 */
    ClusterScheduling(RMContext rmContext, YarnTasks tasks, LongSupplier wallClock) {
        this.rmContext = rmContext;
        this.tasks = tasks;
        this.wallClock = wallClock;
    }

    @Override
    public Sources.ContainerSizes sizes() {
        return new Sources.ContainerSizes(
                rmContext.getScheduler().getMinimumResourceCapability().getMemorySize(),
                rmContext.getScheduler().getMaximumResourceCapability().getMemorySize());
    }

    @Override
    public boolean hasQueue(String queue) {
        int parent = queue.lastIndexOf('.');
        // YARN removes a queue that it has made for somebody when that is empty, and makes it anew below the same
        // parent.
        return isThere(queue) || (parent > 0 && isThere(queue.substring(0, parent)));
    }

    /** Without the root before it, which a key leaves out. */
    private boolean isThere(String queue) {
        return isKnown(queue) || isKnown("root." + queue);
    }

    private boolean isKnown(String queue) {
        try {
            return rmContext.getScheduler().getQueueInfo(queue, false, false) != null;
        } catch (IOException e) {
            // How YARN says that there is none.
            return false;
        }
    }

    @Override
    public Sources.Demand demand() {
        if (!(rmContext.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler)) {
            return new Sources.Demand(0, Amount.NONE, Amount.NONE, List.of(), List.of());
        }
        boolean countsCores = Sizes.countsCores(scheduler);
        int nodes = 0;
        Amount all = Amount.NONE;
        Amount free = Amount.NONE;
        for (SchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
            if (node.getRMNode().getState() == NodeState.RUNNING) {
                nodes++;
                all = all.plus(amount(node.getTotalResource(), countsCores));
                free = free.plus(amount(node.getUnallocatedResource(), countsCores));
            }
        }
        List<Sources.Waiting> waiting = new ArrayList<>();
        List<Sources.Running> running = new ArrayList<>();
        scheduler.getSchedulerApplications().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .forEach(entry ->
                        add(entry.getKey(), entry.getValue().getCurrentAppAttempt(), countsCores, waiting, running));
        return new Sources.Demand(nodes, all, free, waiting, running);
    }

    private void add(
            ApplicationId id,
            SchedulerApplicationAttempt attempt,
            boolean countsCores,
            List<Sources.Waiting> waiting,
            List<Sources.Running> running) {
        RMApp app = rmContext.getRMApps().get(id);
        if (app == null || attempt == null) {
            return;
        }
        for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
            PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
            if (ask.getCount() > 0) {
                waiting.add(new Sources.Waiting(
                        tasks.identity(app, key, attempt.isWaitingForAMContainer()),
                        amount(ask.getPerAllocationResource(), countsCores),
                        ask.getCount()));
            }
        }
        // An application has thousands of containers and few kinds of them, and to make an identity of names takes
        // microseconds.
        Map<SchedulerRequestKey, TaskIdentity> kinds = new HashMap<>();
        for (RMContainer container : attempt.getLiveContainers()) {
            SchedulerRequestKey key = container.getAllocatedSchedulerKey();
            if (key != null) {
                long since = Math.max(0, wallClock.getAsLong() - container.getCreationTime());
                TaskIdentity task = container.isAMContainer()
                        ? tasks.identity(app, key, true)
                        : kinds.computeIfAbsent(key, own -> tasks.identity(app, own, false));
                running.add(new Sources.Running(
                        container.getContainerId().toString(),
                        task,
                        amount(container.getAllocatedResource(), countsCores),
                        Duration.ofMillis(since)));
            }
        }
    }

    private static Amount amount(Resource resource, boolean countsCores) {
        return new Amount(resource.getMemorySize(), countsCores ? resource.getVirtualCores() : 0);
    }
}
