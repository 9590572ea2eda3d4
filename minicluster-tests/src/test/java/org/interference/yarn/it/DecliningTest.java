package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.yarn.PlacementHost;
import org.interference.yarn.rest.Control;
import org.interference.yarn.rest.RestHost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request is declined a node only for another one that may have it now. */
class DecliningTest {
    private static final int NODES = 3;
    private static final int MASTERS = 0;
    private static final int IDLE = 1;
    private static final int BUSY = 2;
    private static final String LABEL = "gpu";

    @TempDir
    private Path store;

    /** What is between the node and the one whom it suits better. */
    enum Obstacle {
        NONE,
        /** It asks for more than there is. */
        SIZE {
            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                cluster.ask(harmless, VisitedCluster.NODE_MB, 1);
            }
        },
        BLACKLIST {
            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                String host = cluster.node(BUSY).getNodeId().getHost();
                harmless.allocate(AllocateRequest.newInstance(
                        0, 0, one(harmless, 1), List.of(), ResourceBlacklistRequest.newInstance(List.of(host), null)));
            }
        },
        /** It wants to be on another host, and nowhere else. */
        PLACE {
            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                cluster.ask(harmless, onAnotherHost(cluster, harmless, false));
            }
        },
        /** It would rather be on another host, so that YARN would have it wait for that. */
        NEARER {
            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                cluster.ask(harmless, onAnotherHost(cluster, harmless, true));
            }
        },
        /** It came later to a queue in order of arrival, and has more than a container more already. */
        MORE {
            @Override
            void before(VisitedCluster cluster, MockAM harmless) throws Exception {
                cluster.ask(harmless, 1024, 3);
                for (int i = 0; i < 3; i++) {
                    visit(cluster, MASTERS);
                }
                assertThat(cluster.got(harmless)).hasSize(3);
            }
        },
        /** Its queue has reached its limit. */
        HEADROOM {
            @Override
            String queue() {
                return "narrow";
            }

            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                cluster.ask(harmless, 4096, 1);
            }
        },
        /** Its queue already has more of its share than the other's would have with two containers more. */
        AHEAD {
            @Override
            String queue() {
                return "narrow";
            }

            @Override
            void before(VisitedCluster cluster, MockAM harmless) throws Exception {
                cluster.ask(harmless, 1024, 1);
                visit(cluster, MASTERS);
                assertThat(cluster.got(harmless)).hasSize(1);
            }
        },
        /** Its first containers are to start together, for which there is no room. */
        GROUP {
            @Override
            List<String> tags() {
                return List.of("ifc:harmless", "ifc-group:50");
            }
        },
        /** By its application's own word it comes later. */
        PRIORITY {
            @Override
            void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
                cluster.ask(harmful, one(harmful, 2));
            }
        },
        /** A container was killed there for somebody. */
        PREEMPTED {
            @Override
            void obstruct(VisitedCluster cluster, ContainerId container) {
                cluster.scheduler().markContainerForKillable(cluster.scheduler().getRMContainer(container));
            }
        },
        /** A container is killed there as soon as somebody takes its space. */
        KILLABLE {
            @Override
            void obstruct(VisitedCluster cluster, ContainerId container) {
                PREEMPTED.obstruct(cluster, container);
                assertThat(cluster.scheduler()
                                .getNode(cluster.node(BUSY).getNodeId())
                                .getKillableContainers())
                        .isNotEmpty();
            }
        };

        String queue() {
            return "default";
        }

        /** Of the harmless one. */
        List<String> tags() {
            return List.of("ifc:harmless");
        }

        /** What the harmless one has got before anything is decided. */
        void before(VisitedCluster cluster, MockAM harmless) throws Exception {}

        void wait(VisitedCluster cluster, MockAM harmful, MockAM harmless) throws Exception {
            cluster.ask(harmless, 1024, 1);
        }

        void obstruct(VisitedCluster cluster, ContainerId containerOnTheBusyNode) {}
    }

    @BeforeEach
    void profiles() throws Exception {
        Profiles.store(store, 0.9, List.of("harmful/priority-1"));
        Profiles.store(store, 0.05, List.of("harmless/priority-1", "harmful/priority-2"));
    }

    @ParameterizedTest
    @EnumSource(Obstacle.class)
    void aNodeIsKeptOnlyForWhoMayHaveIt(Obstacle obstacle) throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(obstacle), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, obstacle.queue(), obstacle.tags());
            cluster.reportAll(0.1);
            obstacle.before(cluster, harmless);
            List<ContainerId> busy = fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            obstacle.wait(cluster, harmful, harmless);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            obstacle.obstruct(cluster, busy.get(0));
            cluster.ask(harmful, 1024, 1);

            visit(cluster, BUSY);

            NodeId node = cluster.node(BUSY).getNodeId();
            if (obstacle == Obstacle.NONE) {
                assertThat(got(cluster, harmful)).isEmpty();
                assertThat(got(cluster, harmless)).containsExactly(node);
            } else {
                assertThat(cluster.got(harmful))
                        .extracting(
                                Container::getNodeId,
                                container -> container.getPriority().getPriority())
                        .containsExactly(tuple(node, 1));
            }
        }
    }

    /** Another scheduling thread may hold it, and wait for what this one holds. */
    @Test
    void whoDecidesWaitsForNoOtherApplicationsLock() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            Obstacle.BLACKLIST.wait(cluster, harmful, harmless);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, 1024, 1);
            ((PlacementHost) cluster.scheduler()).placement().orElseThrow().sweep();
            Lock others = cluster.scheduler()
                    .getApplicationAttempt(harmless.getApplicationAttemptId())
                    .getWriteLock();

            Thread deciding = new Thread(() -> Visits.visit(cluster.rm(), cluster.node(BUSY)));
            others.lock();
            try {
                deciding.start();
                deciding.join(PATIENCE.toMillis());
                assertThat(deciding.isAlive()).as("still decides").isFalse();
            } finally {
                others.unlock();
            }

            assertThat(got(cluster, harmful)).containsExactly(cluster.node(BUSY).getNodeId());
        }
    }

    /** YARN knows the application on, by its next attempt, which asks for nothing yet. */
    @Test
    void nobodyIsDeclinedForWhatAnAttemptThatHasEndedAskedFor() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmless, 1024, 1);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.startAgain(harmless, MASTERS);
            cluster.ask(harmful, 1024, 1);

            visit(cluster, BUSY);

            assertThat(got(cluster, harmful)).containsExactly(cluster.node(BUSY).getNodeId());
        }
    }

    /** As while too few nodes have reported, after a fail-over. */
    @Test
    void whoAskedWhileNothingWasMatchedIsServedInPlaceOfWhoSuitsLess() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            Control control =
                    ((RestHost) cluster.scheduler()).restSources().orElseThrow().control();
            control.switchTo(Mode.OFF, Optional.empty());
            cluster.ask(harmless, 1024, 1);
            control.switchTo(Mode.ON, Optional.empty());
            cluster.ask(harmful, 1024, 1);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, 1024, 1);

            visit(cluster, BUSY);

            assertThat(got(cluster, harmful)).isEmpty();
            assertThat(got(cluster, harmless))
                    .containsExactly(cluster.node(BUSY).getNodeId());
        }
    }

    /** What an application uses in another partition, where YARN counts by itself, says nothing of this one. */
    @Test
    void whoHasMoreThanAContainerMoreInThePartitionOfTheNodeIsNotServedBefore() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES + 1)) {
            label(cluster, List.of(IDLE, BUSY, NODES));
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            cluster.ask(harmless, labelled(harmless, 3));
            for (int i = 0; i < 3; i++) {
                visit(cluster, NODES);
            }
            assertThat(cluster.got(harmless)).hasSize(3);
            cluster.ask(filler, labelled(filler, 3));
            for (int i = 0; i < 3; i++) {
                visit(cluster, BUSY);
            }
            assertThat(cluster.got(filler)).hasSize(3);
            cluster.ask(harmful, labelled(harmful, 1));
            cluster.ask(harmless, labelled(harmless, 1));
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, labelled(harmful, 1));

            visit(cluster, BUSY);

            assertThat(got(cluster, harmful)).containsExactly(cluster.node(BUSY).getNodeId());
        }
    }

    /** YARN goes on to what the same application asks for later, which stock would not have served before. */
    @Test
    void aNodeThatAnApplicationIsDeclinedIsNotGivenToWhatItAsksForLater() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmless, 1024, 1);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmful, one(harmful, 2));

            visit(cluster, BUSY);

            assertThat(cluster.got(harmful)).isEmpty();
            assertThat(got(cluster, harmless))
                    .containsExactly(cluster.node(BUSY).getNodeId());
        }
    }

    /** What comes before it may be declined every node for long, one container after the other. */
    @Test
    void whatAnApplicationAsksForLaterWaitsNoLongerThanAnybody() throws Exception {
        Configuration conf = conf(Obstacle.NONE);
        conf.set(YarnConfiguration.RM_SCHEDULER, TimedSchedulers.OurCapacity.class.getName());
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES + 1)) {
            TimedSchedulers.Time time = ((TimedSchedulers.Timed) cluster.scheduler()).time();
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmless, 1024, 1);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmful, one(harmful, 2));
            visit(cluster, BUSY);
            assertThat(got(cluster, harmless))
                    .containsExactly(cluster.node(BUSY).getNodeId());
            time.pass(240);
            cluster.reportAll(0.1);
            visit(cluster, NODES);
            assertThat(cluster.got(harmful))
                    .extracting(container -> container.getPriority().getPriority())
                    .containsExactly(1);
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmless, 1024, 1);
            time.pass(60);
            cluster.report(NODES, 0.9);

            visit(cluster, BUSY);

            assertThat(cluster.got(harmful))
                    .extracting(
                            Container::getNodeId,
                            container -> container.getPriority().getPriority())
                    .containsExactly(tuple(cluster.node(BUSY).getNodeId(), 2));
            assertThat(cluster.got(harmless)).isEmpty();
        }
    }

    /** YARN reserves the next node without room for whoever waits, who would not wait without us. */
    @Test
    void aRequestThatIsDeclinedANodeReservesNoOther() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(conf(Obstacle.NONE), NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(filler, List.of(filler.createResourceReq(ResourceRequest.ANY, 4096, 3, 1)));
            visit(cluster, MASTERS);
            cluster.ask(harmful, 2048, 1);
            cluster.ask(harmless, 1024, 1);
            visit(cluster, IDLE);
            assertThat(got(cluster, harmful)).containsExactly(cluster.node(IDLE).getNodeId());
            cluster.ask(harmful, 2048, 1);
            visit(cluster, BUSY);
            assertThat(cluster.got(harmful)).isEmpty();

            visit(cluster, MASTERS);

            FiCaSchedulerNode masters =
                    cluster.scheduler().getNode(cluster.node(MASTERS).getNodeId());
            assertThat(masters.getUnallocatedResource().getMemorySize()).isEqualTo(1024);
            assertThat(masters.getReservedContainer()).isNull();
        }
    }

    @Test
    void inShadowTheParentPlacesAndItIsToldThatTheNodeWouldHaveBeenAnothers() throws Exception {
        Configuration conf = conf(Obstacle.NONE);
        conf.set("yarn.interference.place.mode", "shadow");
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES)) {
            MockAM filler = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmful = cluster.start(MASTERS, "ifc:harmful");
            MockAM harmless = cluster.start(MASTERS, "ifc:harmless");
            cluster.reportAll(0.1);
            fill(cluster, filler);
            cluster.ask(harmful, 1024, 1);
            cluster.ask(harmless, 1024, 1);
            visit(cluster, IDLE);
            cluster.got(harmful);
            cluster.ask(harmful, 1024, 1);

            visit(cluster, BUSY);

            List<Container> got = cluster.got(harmful);
            assertThat(got)
                    .extracting(Container::getNodeId)
                    .containsExactly(cluster.node(BUSY).getNodeId());
            Placement placement =
                    ((RestHost) cluster.scheduler()).restSources().orElseThrow().placement();
            Offered offered = placement
                    .decisions()
                    .of(got.get(0).getId().toString())
                    .orElseThrow()
                    .ranking()
                    .offered()
                    .orElseThrow();
            assertThat(offered.decision().reason()).isEqualTo(Offer.Reason.BETTER);
            assertThat(offered.contenders()).hasSize(2);
            assertThat(offered.saved()).isPositive();
            assertThat(placement
                            .decisions()
                            .differences()
                            .between(Instant.MIN, Instant.MAX)
                            .all()
                            .differing())
                    .isEqualTo(1);
        }
    }

    private Configuration conf(Obstacle obstacle) {
        Configuration conf = VisitedCluster.ours(store);
        conf.set("yarn.interference.place.min-measured", "0");
        conf.set("yarn.interference.place.choices", "1");
        conf.set("yarn.interference.place.group-wait-ms", "600000");
        conf.set("yarn.scheduler.capacity.root.queues", "default,narrow");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "85");
        conf.set("yarn.scheduler.capacity.root.narrow.capacity", "15");
        conf.set("yarn.scheduler.capacity.root.narrow.maximum-capacity", "15");
        conf.setBoolean("yarn.scheduler.capacity.lazy-preemption-enabled", obstacle == Obstacle.KILLABLE);
        return conf;
    }

    private static void label(VisitedCluster cluster, List<Integer> nodes) throws Exception {
        RMNodeLabelsManager labels = cluster.rm().getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of(LABEL));
        labels.replaceLabelsOnNode(nodes.stream()
                .collect(Collectors.toMap(node -> cluster.node(node).getNodeId(), node -> Set.of(LABEL))));
        Configuration conf = new Configuration(cluster.rm().getConfig());
        conf.set("yarn.scheduler.capacity.root.accessible-node-labels", LABEL);
        for (String queue : List.of("root", "root.default")) {
            conf.set("yarn.scheduler.capacity.%s.accessible-node-labels.%s.capacity".formatted(queue, LABEL), "100");
        }
        conf.set("yarn.scheduler.capacity.root.narrow.accessible-node-labels.%s.capacity".formatted(LABEL), "0");
        cluster.scheduler().reinitialize(conf, cluster.rm().getRMContext());
        cluster.rm().drainEvents();
    }

    private static List<ResourceRequest> labelled(MockAM master, int containers) throws Exception {
        return List.of(master.createResourceReq(ResourceRequest.ANY, 1024, 1, containers, LABEL));
    }

    private static List<ContainerId> fill(VisitedCluster cluster, MockAM filler) throws Exception {
        cluster.ask(filler, 1024, 3);
        for (int i = 0; i < 3; i++) {
            visit(cluster, BUSY);
        }
        List<ContainerId> containers =
                cluster.got(filler).stream().map(container -> container.getId()).toList();
        assertThat(containers).hasSize(3);
        return containers;
    }

    private static void visit(VisitedCluster cluster, int node) {
        // What a background thread does now and then.
        ((PlacementHost) cluster.scheduler()).placement().orElseThrow().sweep();
        Visits.visit(cluster.rm(), cluster.node(node));
    }

    private static List<NodeId> got(VisitedCluster cluster, MockAM master) throws Exception {
        return cluster.got(master).stream()
                .map(container -> container.getNodeId())
                .toList();
    }

    /** @param orElsewhere whether another host will do */
    private static List<ResourceRequest> onAnotherHost(VisitedCluster cluster, MockAM master, boolean orElsewhere)
            throws Exception {
        String host = cluster.node(MASTERS).getNodeId().getHost();
        List<ResourceRequest> asks = new ArrayList<>();
        for (String place : List.of(host, "/default-rack", ResourceRequest.ANY)) {
            ResourceRequest ask = master.createResourceReq(place, 1024, 1, 1);
            ask.setRelaxLocality(orElsewhere || place.equals(host));
            asks.add(ask);
        }
        return asks;
    }

    private static List<ResourceRequest> one(MockAM master, int priority) throws Exception {
        return List.of(master.createResourceReq(ResourceRequest.ANY, 1024, priority, 1));
    }
}
