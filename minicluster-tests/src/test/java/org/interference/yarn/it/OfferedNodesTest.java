package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSAssignment;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.interference.yarn.InterferenceAwareScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A request is only given nodes that a thread of asynchronous scheduling would visit now, however good those are that it visited lately,
 * and it is served as soon as by YARN's own scheduler.
 */
class OfferedNodesTest {
    private static final int NODES = 3;
    private static final int LAST = NODES - 1;
    private static final Duration SILENCE = Duration.ofSeconds(1);

    @TempDir
    private Path store;

    /** What becomes of the last node, the only one without a container of the application, after it was visited. */
    enum Fate {
        LOST {
            @Override
            void befall(VisitedCluster cluster) throws Exception {
                cluster.rm().sendNodeLost(cluster.node(LAST));
                cluster.rm().waitForState(cluster.node(LAST).getNodeId(), NodeState.LOST);
            }
        },
        SILENT {
            @Override
            void befall(VisitedCluster cluster) {
                await().atMost(PATIENCE).until(() -> {
                    for (int i = 0; i < LAST; i++) {
                        cluster.node(i).nodeHeartbeat(true);
                    }
                    cluster.rm().drainEvents();
                    return Visits.isLeftOut(cluster.rm(), cluster.node(LAST));
                });
            }
        },
        DECOMMISSIONING {
            @Override
            void befall(VisitedCluster cluster) throws Exception {
                // An application that it knows keeps it from leaving at once.
                cluster.rm().sendNodeGracefulDecommission(cluster.node(LAST), 3600);
                cluster.rm().waitForState(cluster.node(LAST).getNodeId(), NodeState.DECOMMISSIONING);
            }
        },
        UNHEALTHY {
            @Override
            void befall(VisitedCluster cluster) throws Exception {
                cluster.node(LAST).nodeHeartbeat(false);
                cluster.rm().waitForState(cluster.node(LAST).getNodeId(), NodeState.UNHEALTHY);
            }
        },
        RESERVED {
            @Override
            void befall(VisitedCluster cluster) throws Exception {
                MockAM large = cluster.start(0);
                MockAM filler = cluster.start(0);
                cluster.ask(filler, 1024, 1);
                Visits.visit(cluster.rm(), cluster.node(LAST));
                cluster.ask(large, VisitedCluster.NODE_MB, 1);
                Visits.visit(cluster.rm(), cluster.node(LAST));
                assertThat(cluster.scheduler()
                                .getNode(cluster.node(LAST).getNodeId())
                                .getReservedContainer())
                        .as("reservation")
                        .isNotNull();
            }
        },
        NONE {
            @Override
            void befall(VisitedCluster cluster) {}
        };

        abstract void befall(VisitedCluster cluster) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void aTaggedRequestIsServedAsSoonAsByTheStockSchedulerWhateverBecomesOfANode(Fate fate) throws Exception {
        VisitedCluster.Served stock = served(fate, VisitedCluster.stock());
        VisitedCluster.Served ours = served(fate, VisitedCluster.ours(store));

        assertThat(ours.visits()).as("visits").isEqualTo(stock.visits()).isEqualTo(OptionalInt.of(1));
        if (fate == Fate.NONE) {
            // Otherwise all this would be true of a plugin that nobody asks.
            assertThat(ours.node()).isNotEqualTo(stock.node());
        } else {
            assertThat(ours.node()).isEqualTo(stock.node());
        }
    }

    /** While requests are ranked nodes are held back, for two rounds at most. */
    @ParameterizedTest
    @EnumSource(Fate.class)
    void aRankedRequestIsServedWithinTwoRoundsWhateverBecomesOfANode(Fate fate) throws Exception {
        Profiles.store(store, 0.5, List.of("any-task/priority-1"));

        VisitedCluster.Served ours = served(fate, VisitedCluster.ours(store));

        assertThat(ours.visits().orElse(Integer.MAX_VALUE)).as("visits").isBetween(1, 2 * NODES);
        if (fate == Fate.NONE) {
            assertThat(ours.node()).isEqualTo(nodeId(LAST));
        } else {
            assertThat(ours.node()).isIn(nodeId(0), nodeId(1));
        }
    }

    private static NodeId nodeId(int index) {
        return NodeId.newInstance("127.0.0." + (index + 1), 1000);
    }

    private static VisitedCluster.Served served(Fate fate, Configuration conf) throws Exception {
        if (fate == Fate.SILENT) {
            VisitedCluster.leaveOutAfter(SILENCE, conf);
        }
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES)) {
            MockAM master = applicationOnAllButTheLast(cluster);
            Visits.visit(cluster.rm(), cluster.node(LAST));
            fate.befall(cluster);
            cluster.ask(master, 1024, 1);
            return cluster.visitUntil(master, 50);
        }
    }

    /** Two containers on two nodes, so that by its tag the application wants the last one. */
    private static MockAM applicationOnAllButTheLast(VisitedCluster cluster) throws Exception {
        MockAM master = cluster.start(0, "ifc-spread", "ifc:any-task");
        cluster.reportAll(0.1);
        cluster.ask(master, 1024, 1);
        Visits.visit(cluster.rm(), cluster.node(1));
        assertThat(cluster.got(master)).hasSize(1);
        return master;
    }

    /** A thread of its own commits what asynchronous scheduling proposes; here the test does, once it says {@link #later}. */
    public static final class CommittedLater extends InterferenceAwareScheduler {
        private final List<ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode>> proposed = new ArrayList<>();
        private boolean later;

        void later() {
            later = true;
        }

        @Override
        public void submitResourceCommitRequest(Resource cluster, CSAssignment assignment) {
            if (later) {
                Optional.ofNullable(createResourceCommitRequest(assignment)).ifPresent(proposed::add);
            } else {
                super.submitResourceCommitRequest(cluster, assignment);
            }
        }

        /** Returns the only proposal, in a form that the parent cannot read. */
        ResourceCommitRequest<FiCaSchedulerApp, FiCaSchedulerNode> unreadable() {
            return new ResourceCommitRequest<>(proposed.get(0).getContainersToAllocate(), null, null) {
                @Override
                public boolean anythingAllocatedOrReserved() {
                    throw new IllegalStateException("injected");
                }
            };
        }

        /** Returns which proposals there were, and whether each was accepted. */
        Map<NodeId, Boolean> commit() {
            later = false;
            Map<NodeId, Boolean> outcomes = new HashMap<>();
            proposed.forEach(request -> outcomes.put(
                    request.getFirstAllocatedOrReservedContainer()
                            .getAllocatedOrReservedContainer()
                            .getSchedulerNode()
                            .getNodeID(),
                    tryCommit(getClusterResource(), request, true)));
            proposed.clear();
            return outcomes;
        }
    }

    /** Nobody says why, so it might be refused again and again. */
    @Test
    void aNodeThatWasRefusedIsNotChosenAgainBeforeItIsVisitedAgain() throws Exception {
        Configuration conf = VisitedCluster.ours(store);
        conf.set(YarnConfiguration.RM_SCHEDULER, CommittedLater.class.getName());
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES)) {
            CommittedLater scheduler = (CommittedLater) cluster.scheduler();
            MockAM master = applicationOnAllButTheLast(cluster);
            Visits.visit(cluster.rm(), cluster.node(LAST));
            cluster.ask(master, 1024, 1);
            scheduler.later();
            Visits.visit(cluster.rm(), cluster.node(0));
            cluster.ask(master, 1024, 0);
            assertThat(scheduler.commit()).isEqualTo(Map.of(nodeId(LAST), false));
            cluster.ask(master, 1024, 1);

            VisitedCluster.Served served = cluster.visitUntil(master, 1);

            assertThat(served.node()).isIn(nodeId(0), nodeId(1));
        }
    }

    @Test
    void aCommitThatThrowsTakesItsProposalBack() throws Exception {
        Configuration conf = VisitedCluster.ours(store);
        conf.set(YarnConfiguration.RM_SCHEDULER, CommittedLater.class.getName());
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES)) {
            CommittedLater scheduler = (CommittedLater) cluster.scheduler();
            MockAM master = applicationOnAllButTheLast(cluster);
            Visits.visit(cluster.rm(), cluster.node(LAST));
            cluster.ask(master, 1024, 1);
            scheduler.later();
            Visits.visit(cluster.rm(), cluster.node(0));
            assertThat(unmeasured(scheduler)).as("proposed").isOne();

            assertThatThrownBy(() -> scheduler.tryCommit(null, scheduler.unreadable(), true))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(unmeasured(scheduler)).as("after the commit").isZero();
        }
    }

    private static long unmeasured(CommittedLater scheduler) {
        return scheduler
                .restSources()
                .orElseThrow()
                .placement()
                .accounts()
                .unmeasured(nodeId(LAST).toString(), Instant.now());
    }

    /** It may have been the last one of its partition, so that no other visit passes by. */
    @Test
    void nothingIsKeptOfARemovedNode() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(VisitedCluster.ours(store), NODES)) {
            applicationOnAllButTheLast(cluster);
            Visits.visit(cluster.rm(), cluster.node(LAST));
            WeakReference<SchedulerNode> removed =
                    new WeakReference<>(cluster.scheduler().getNode(nodeId(LAST)));

            Fate.LOST.befall(cluster);

            await().atMost(PATIENCE).until(() -> {
                System.gc();
                return removed.get() == null;
            });
        }
    }
}
