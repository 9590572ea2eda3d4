package org.interference.yarn.benchmarks.scheduler;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingThreads;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/** Nodes offered to a scheduler one after the other, each when what came of the last one is committed. Not thread-safe. */
final class NodeVisits {
    private static final long LONGEST_COMMIT_NANOS = 10_000_000_000L;
    private static final int FRUITLESS_ROUNDS = 100;

    private final LoadedCluster cluster;
    private final List<RMNode> nodes;
    private final Offer offer;
    private int next;

    /** Offers a node. Returns how long that took until the end of the commit, if there was one. */
    private interface Offer {
        long nanos(RMNode node);
    }

    NodeVisits(LoadedCluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.rmNodes();
        AbstractYarnScheduler<?, ?> scheduler = cluster.scheduler();
        this.offer = scheduler instanceof CapacityScheduler capacity
                ? node -> proposeAndCommit(capacity, node)
                : node -> heartbeat((FairScheduler) scheduler, node);
    }

    /** Returns the nanoseconds of so many decisions; an offer that came to nothing is part of the next decision. */
    long[] decide(int decisions) {
        cluster.askForAll();
        long[] nanos = new long[decisions];
        int decided = 0;
        long allocated = cluster.allocated();
        for (long offers = 0; decided < decisions; offers++) {
            if (offers > (long) FRUITLESS_ROUNDS * nodes.size()) {
                throw new IllegalStateException("only %d of %d decisions".formatted(decided, decisions));
            }
            if (next == 0 && cluster.scheduler() instanceof FairScheduler fair) {
                fair.update();
            }
            nanos[decided] += offer.nanos(nodes.get(next));
            next = (next + 1) % nodes.size();
            long now = cluster.allocated();
            decided += now > allocated ? 1 : 0;
            allocated = now;
        }
        cluster.release();
        return nanos;
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

    private static long heartbeat(FairScheduler scheduler, RMNode node) {
        long start = System.nanoTime();
        scheduler.handle(new NodeUpdateSchedulerEvent(node));
        return System.nanoTime() - start;
    }
}
