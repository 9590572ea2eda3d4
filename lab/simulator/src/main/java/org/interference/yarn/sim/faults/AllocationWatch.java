package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/** Lets the active scheduler decide, and notes where containers went, and whether somebody needier was passed over. Not thread-safe. */
final class AllocationWatch {
    private final List<Worker> nodes;
    private final ResourceManagers managers;
    private final LifeHistory history;
    /** The newest container seen, of each application. */
    private final Map<String, Long> newest = new HashMap<>();

    AllocationWatch(List<Worker> nodes, ResourceManagers managers, LifeHistory history) {
        this.nodes = nodes;
        this.managers = managers;
        this.history = history;
    }

    /**
     * Lets the scheduler decide because a heartbeat has come.
     *
     * @param ended whether containers end by it: that makes their applications needier before the scheduler decides
     */
    void heard(Worker node, boolean ended, Iterable<ApplicationAttemptId> attempts) {
        List<FairnessCheck.Needy> needy = ended ? List.of() : needy(node, attempts);
        int before = history.allocated().size();
        watched(Optional.of(node), managers.active()::drain);
        if (history.allocated().size() == before + 1) {
            LifeHistory.Allocated one = history.allocated().get(before);
            FairnessCheck.passedOver(needy, one.attempt(), Variant.AHEAD)
                    .forEach(wrong -> history.unfair().add("second %d: %s".formatted(history.second(), wrong)));
        }
    }

    private List<FairnessCheck.Needy> needy(Worker node, Iterable<ApplicationAttemptId> attempts) {
        return managers.active().scheduler() instanceof FairScheduler fair
                ? FairnessCheck.before(fair, attempts, fair.getSchedulerNode(node.id()))
                : List.of();
    }

    /** Lets the scheduler decide about one node in a pass over all. */
    void visit(Runnable visit) {
        watched(Optional.empty(), visit);
    }

    /** @param beats whose heartbeat it is; empty in a pass */
    private void watched(Optional<Worker> beats, Runnable decision) {
        Daemon daemon = managers.active();
        Map<String, RMContainer> reserved = reserved();
        daemon.dispatcher().takeAllocated();
        decision.run();
        daemon.drain();
        Set<ApplicationAttemptId> allocated = daemon.dispatcher().takeAllocated();
        if (!allocated.isEmpty()) {
            Map<String, RMContainer> still = reserved();
            reserved.entrySet().removeIf(entry -> still.get(entry.getKey()) != entry.getValue());
            allocated.forEach(attempt -> note(attempt, beats, reserved));
        }
    }

    private Map<String, RMContainer> reserved() {
        Map<String, RMContainer> reserved = new HashMap<>();
        for (Worker node : nodes) {
            SchedulerNode known = managers.active().scheduler().getSchedulerNode(node.id());
            if (known != null && known.getReservedContainer() != null) {
                reserved.put(node.id().toString(), known.getReservedContainer());
            }
        }
        return reserved;
    }

    private void note(ApplicationAttemptId id, Optional<Worker> beats, Map<String, RMContainer> reserved) {
        SchedulerApplicationAttempt attempt = managers.active().scheduler().getApplicationAttempt(id);
        String who = id.getApplicationId().toString();
        long before = newest.getOrDefault(who, 0L);
        Set<RMContainer> fresh = new HashSet<>(attempt.getLiveContainers());
        fresh.removeIf(container -> container.getContainerId().getContainerId() <= before);
        List<RMContainer> inOrder = new ArrayList<>(fresh);
        inOrder.sort(Comparator.comparing(RMContainer::getContainerId));
        for (RMContainer container : inOrder) {
            newest.merge(who, container.getContainerId().getContainerId(), Math::max);
            SchedulerNode node = managers.active().scheduler().getSchedulerNode(container.getAllocatedNode());
            RMNode known = node == null ? null : node.getRMNode();
            Worker worker = nodes.stream()
                    .filter(one -> one.id().equals(container.getAllocatedNode()))
                    .findFirst()
                    .orElseThrow();
            RMContainer reservation = reserved.get(container.getAllocatedNode().toString());
            history.allocated()
                    .add(new LifeHistory.Allocated(
                            history.second(),
                            who,
                            container.getContainerId().getContainerId(),
                            container.getAllocatedNode().toString(),
                            node != null,
                            known != null && known.getState() == NodeState.RUNNING,
                            beats.filter(one -> one == worker).isPresent(),
                            worker.state() == Worker.State.UP,
                            reservation == null
                                    ? ""
                                    : reservation
                                            .getApplicationAttemptId()
                                            .getApplicationId()
                                            .toString()));
        }
    }
}
