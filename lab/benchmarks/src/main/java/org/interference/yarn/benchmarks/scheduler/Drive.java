package org.interference.yarn.benchmarks.scheduler;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingThreads;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.interference.yarn.benchmarks.UnmanagedApplications;

/** What makes a scheduler schedule. */
interface Drive {
    /** From the first container that was seen to the last one. */
    record Run(long containers, long nanos) {}

    /** Has at least {@code containers} allocated, and measures it. Whoever schedules may go on until {@link #awaitIdle}. */
    Run run(LoadedCluster cluster, int containers);

    /** Waits until nothing more is allocated. */
    void awaitIdle(LoadedCluster cluster);

    static Drive of(AbstractYarnScheduler<?, ?> scheduler) {
        if (scheduler instanceof CapacityScheduler capacity && SchedulingThreads.hasAny(capacity)) {
            return new Threads(capacity);
        }
        return new Heartbeats(scheduler);
    }

    /** The CapacityScheduler's own threads. */
    final class Threads implements Drive {
        private static final long POLL_NANOS = 200_000;
        private static final long LONGEST_STANDSTILL_NANOS = 60_000_000_000L;

        private final CapacityScheduler scheduler;

        private Threads(CapacityScheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        public Run run(LoadedCluster cluster, int containers) {
            long before = cluster.allocated();
            SchedulingThreads.resume(scheduler);
            // The threads look up every 100 ms: that is not part of it.
            long first = awaitMoreThan(cluster, before);
            long start = System.nanoTime();
            long last = first;
            while (last < before + containers) {
                last = awaitMoreThan(cluster, last);
            }
            long end = System.nanoTime();
            SchedulingThreads.suspend(scheduler);
            return new Run(last - first, end - start);
        }

        @Override
        public void awaitIdle(LoadedCluster cluster) {
            SchedulingThreads.suspend(scheduler);
            UnmanagedApplications.await("the scheduler is idle", () -> SchedulingThreads.areIdle(scheduler));
        }

        private static long awaitMoreThan(LoadedCluster cluster, long containers) {
            long deadline = System.nanoTime() + LONGEST_STANDSTILL_NANOS;
            while (cluster.allocated() <= containers) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("nothing is allocated after %d containers".formatted(containers));
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            return cluster.allocated();
        }
    }

    /** Heartbeats of the nodes in turn, handled on the caller's thread. */
    final class Heartbeats implements Drive {
        private static final int FRUITLESS_ROUNDS = 100;

        private final AbstractYarnScheduler<?, ?> scheduler;
        private final FairUpdates updates;

        private Heartbeats(AbstractYarnScheduler<?, ?> scheduler) {
            this.scheduler = scheduler;
            this.updates = new FairUpdates(scheduler);
        }

        @Override
        public Run run(LoadedCluster cluster, int containers) {
            List<RMNode> nodes = cluster.rmNodes();
            long before = cluster.allocated();
            long start = System.nanoTime();
            updates.now();
            for (int round = 0; round < FRUITLESS_ROUNDS; round++) {
                for (RMNode node : nodes) {
                    updates.whenDue();
                    scheduler.handle(new NodeUpdateSchedulerEvent(node));
                    long allocated = cluster.allocated() - before;
                    if (allocated >= containers) {
                        return new Run(allocated, System.nanoTime() - start);
                    }
                }
            }
            throw new IllegalStateException("no %d containers in %d rounds".formatted(containers, FRUITLESS_ROUNDS));
        }

        @Override
        public void awaitIdle(LoadedCluster cluster) {
            // It is whenever run has returned.
        }
    }
}
