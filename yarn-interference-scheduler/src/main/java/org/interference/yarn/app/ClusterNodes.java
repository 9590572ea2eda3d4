package org.interference.yarn.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.yarn.Sizes;
import org.interference.yarn.rest.Sources;

/** The nodes of the cluster, as YARN knows them. Thread-safe. */
final class ClusterNodes {
    /** Writing 10,000 names takes longer than most answers. */
    private static final Duration HELD = Duration.ofSeconds(1);

    private final RMContext rmContext;
    private final InstantSource clock;
    private volatile Names names = new Names(-1, Instant.EPOCH, Collections.emptySortedSet());

    /**
     * The nodes at one moment.
     *
     * @param size how many there were, also those that came while they were listed
     */
    private record Names(int size, Instant at, SortedSet<String> all) {}

    ClusterNodes(RMContext rmContext, InstantSource clock) {
        this.rmContext = rmContext;
        this.clock = clock;
    }

    /** Returns the nodes by name, at most a second late. */
    SortedSet<String> names() {
        Instant now = clock.instant();
        int size = rmContext.getRMNodes().size();
        Names known = names;
        if (known.size() != size
                || !known.at().plus(HELD).isAfter(now)
                || known.at().isAfter(now)) {
            known = new Names(
                    size,
                    now,
                    Collections.unmodifiableSortedSet(rmContext.getRMNodes().keySet().stream()
                            .map(NodeId::toString)
                            .collect(Collectors.toCollection(TreeSet::new))));
            names = known;
        }
        return known.all();
    }

    /** Returns how many containers {@code node} has; empty if the scheduler does not know it. */
    OptionalInt allocated(String node) {
        SchedulerNode known = rmContext.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler
                ? scheduler.getNodeTracker().getNode(NodeId.fromString(node))
                : null;
        return known == null ? OptionalInt.empty() : OptionalInt.of(known.getNumContainers());
    }

    /** Returns what is free of the nodes that run, as the scheduler counts. */
    List<Sources.Room> rooms() {
        if (!(rmContext.getScheduler() instanceof AbstractYarnScheduler<?, ?> scheduler)) {
            return List.of();
        }
        boolean countsCores = Sizes.countsCores(scheduler);
        List<Sources.Room> rooms = new ArrayList<>();
        for (SchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
            if (node.getRMNode().getState() == NodeState.RUNNING) {
                Resource free = node.getUnallocatedResource();
                rooms.add(new Sources.Room(
                        node.getNodeID().toString(),
                        free.getMemorySize(),
                        countsCores ? OptionalInt.of(free.getVirtualCores()) : OptionalInt.empty()));
            }
        }
        rooms.sort(Comparator.comparing(Sources.Room::node));
        return rooms;
    }
}
