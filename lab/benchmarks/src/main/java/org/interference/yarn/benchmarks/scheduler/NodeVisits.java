package org.interference.yarn.benchmarks.scheduler;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingThreads;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;

/** Nodes offered to a scheduler one after the other, each when what came of the last one is committed. Not thread-safe. */
final class NodeVisits {
    private static final long LONGEST_COMMIT_NANOS = 10_000_000_000L;
    private static final int FRUITLESS_ROUNDS = 100;
    private static final long NANOS_OF_A_SECOND = 1_000_000_000;

    private final LoadedCluster cluster;
    private final List<RMNode> nodes;
    private final Offer offer;
    private final FairUpdates updates;
    private int next;

    /** Offers a node. Returns how long that took until the end of the commit, if there was one. */
    private interface Offer {
        long nanos(RMNode node);
    }

    NodeVisits(LoadedCluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.rmNodes();
        AbstractYarnScheduler<?, ?> scheduler = cluster.scheduler();
        this.updates = new FairUpdates(scheduler);
        this.offer = scheduler instanceof CapacityScheduler capacity
                ? node -> proposeAndCommit(capacity, node)
                : node -> heartbeat(scheduler, node);
    }

    /**
     * How long one container took, in nanoseconds; an offer that came to nothing is part of the next one's.
     *
     * @param all from the offer to the end of the commit
     * @param plugins of it what the plugin took of the scheduling thread
     */
    record Taken(long all, long plugins) {}

    /** Has so many containers allocated, and says how long each took. */
    List<Taken> decide(int containers) {
        cluster.askForAll();
        updates.now();
        List<Taken> taken = new ArrayList<>(containers);
        long all = 0;
        long plugins = 0;
        long allocated = cluster.allocated();
        for (long offers = 0; taken.size() < containers; offers++) {
            if (offers > (long) FRUITLESS_ROUNDS * nodes.size()) {
                throw new IllegalStateException("only %d of %d containers".formatted(taken.size(), containers));
            }
            updates.whenDue();
            long before = pluginsNanos();
            all += offer.nanos(nodes.get(next));
            plugins += pluginsNanos() - before;
            next = (next + 1) % nodes.size();
            long now = cluster.allocated();
            if (now > allocated) {
                taken.add(new Taken(all, plugins));
                all = 0;
                plugins = 0;
            }
            allocated = now;
        }
        cluster.release();
        return taken;
    }

    private long pluginsNanos() {
        return cluster.plugin()
                .map(plugin -> plugin.placement().gate().timeSpent().toNanos())
                .orElse(0L);
    }

    /** Has so many containers allocated, one by each report of a node, and so many reports a second, or as many as can be. */
    void pace(int containers, int visitsOfASecond) {
        cluster.askForAll();
        updates.now();
        long before = cluster.allocated();
        long start = System.nanoTime();
        for (long visit = 0; cluster.allocated() < before + containers; visit++) {
            if (visit > (long) FRUITLESS_ROUNDS * nodes.size()) {
                throw new IllegalStateException(
                        "only %d of %d containers".formatted(cluster.allocated() - before, containers));
            }
            updates.whenDue();
            while (System.nanoTime() - start < visit * NANOS_OF_A_SECOND / visitsOfASecond) {
                Thread.onSpinWait();
            }
            heartbeat(cluster.scheduler(), nodes.get(next));
            next = (next + 1) % nodes.size();
        }
    }

    private static long proposeAndCommit(CapacityScheduler scheduler, RMNode node) {
        CommitClock clock = ((CommitClock.Owner) scheduler).commitClock();
        long commits = clock.commits();
        long commitNanos = clock.nanos();
        long start = System.nanoTime();
        int proposed = SchedulingThreads.offer(scheduler, node.getNodeID());
        long end = System.nanoTime();
        while (proposed > 0 && clock.commits() == commits) {
            if (System.nanoTime() - end > LONGEST_COMMIT_NANOS) {
                throw new IllegalStateException("a proposal is not committed");
            }
            Thread.onSpinWait();
        }
        return end - start + clock.nanos() - commitNanos;
    }

    private static long heartbeat(AbstractYarnScheduler<?, ?> scheduler, RMNode node) {
        long start = System.nanoTime();
        scheduler.handle(new NodeUpdateSchedulerEvent(node));
        return System.nanoTime() - start;
    }
}
