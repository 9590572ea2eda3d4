package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the plugin has nothing to say, every container goes exactly where the stock CapacityScheduler puts it.
 *
 * <p>A real ResourceManager with hand-driven heartbeats and synchronous scheduling, so that a seed gives one sequence of
 * events; asynchronous scheduling has no such sequence to compare.
 */
@Timeout(240)
class SchedulerEquivalenceTest {
    private static final int NODES = 6;
    private static final int NODE_MB = 8 * 1024;
    private static final int APPLICATIONS = 3;
    private static final int STEPS = 40;
    private static final int PRIORITIES = 4;
    private static final String TAG = "any-task";

    @TempDir
    private Path directory;

    static Stream<Long> seeds() {
        return LongStream.rangeClosed(1, 8).boxed();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeOffPlacesEveryContainerAsTheStockSchedulerDoes(long seed) throws Exception {
        for (boolean multiNode : new boolean[] {false, true}) {
            assertThat(placements(seed, ours("off", "prior", multiNode)))
                    .as("multi-node placement %s", multiNode)
                    .isEqualTo(placements(seed, stock(multiNode)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tasksWithoutProfileArePlacedAsTheStockSchedulerDoes(long seed) throws Exception {
        assertThat(placements(seed, ours("on", "prior", true))).isEqualTo(placements(seed, stock(true)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPredictorThatThrowsOnEveryCallLeavesEveryPlacementAsItWas(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());
        Configuration conf = ours("on", ThrowingPredictor.class.getName(), true);
        AtomicLong errors = new AtomicLong();

        List<String> placements = placements(
                seed, conf, rm -> errors.set(sources(rm).placement().health().errors()));

        assertThat(placements).isEqualTo(placements(seed, stock(true)));
        assertThat(errors.get()).as("errors counted").isPositive();
    }

    /** The keys of all that {@link #ask} asks for. */
    private static List<String> tasks() {
        return IntStream.range(0, PRIORITIES)
                .mapToObj(priority -> TAG + "/priority-" + priority)
                .toList();
    }

    private static Sources sources(MockRM rm) {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeShadowRecordsARankingAndPlacesEveryContainerAsTheStockSchedulerDoes(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());
        AtomicLong ranked = new AtomicLong();

        List<String> placements = placements(seed, ours("shadow", "prior", true), rm -> ranked.set(ranked(rm)));

        assertThat(placements).isEqualTo(placements(seed, stock(true)));
        assertThat(ranked.get()).as("rankings recorded").isPositive();
    }

    /** Without this one, the others would also pass for a plugin that is never asked. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeOnWithProfilesPlacesSomeContainerElsewhere(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());

        assertThat(placements(seed, ours("on", "prior", true))).isNotEqualTo(placements(seed, stock(true)));
    }

    private static long ranked(MockRM rm) {
        return sources(rm).placement().decisionCounts().get(Ranking.Reason.RANKED);
    }

    private Configuration stock(boolean multiNode) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", multiNode);
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy", "default");
        conf.set(
                "yarn.scheduler.capacity.multi-node-sorting.policy.default.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy");
        // Sorted at every call, not every second of this machine's clock.
        conf.setLong("yarn.scheduler.capacity.multi-node-sorting.policy.default.sorting-interval.ms", 0);
        // No node is left out for a heartbeat that this machine was too slow to send.
        conf.setInt(YarnConfiguration.SCHEDULER_SKIP_NODE_MULTIPLIER, 10_000);
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        return conf;
    }

    private Configuration ours(String mode, String predictor, boolean multiNode) {
        Configuration conf = stock(multiNode);
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.set("yarn.interference.place.mode", mode);
        conf.set("yarn.interference.predict.predictor", predictor);
        conf.set("yarn.interference.profile.store-dir", directory.toString());
        return conf;
    }

    /** Returns where each container of one random, seeded life of a cluster went, in order. */
    private static List<String> placements(long seed, Configuration conf) throws Exception {
        return placements(seed, conf, rm -> {});
    }

    private static List<String> placements(long seed, Configuration conf, Consumer<MockRM> atTheEnd) throws Exception {
        Random random = new Random(seed);
        List<String> placements = new ArrayList<>();
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            List<MockNM> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(rm.registerNode("127.0.0.1:" + (1000 + i), NODE_MB, 16));
            }
            List<MockAM> masters = new ArrayList<>();
            for (int i = 0; i < APPLICATIONS; i++) {
                RMApp app = MockRMAppSubmitter.submit(
                        rm,
                        MockRMAppSubmissionData.Builder.createWithMemory(512, rm)
                                .withAppName("application-" + (char) ('a' + i))
                                .withApplicationTags(Set.of("ifc:" + TAG))
                                .build());
                masters.add(MockRM.launchAndRegisterAM(app, rm, nodes.get(i)));
            }
            List<List<ContainerId>> held = new ArrayList<>();
            masters.forEach(master -> held.add(new ArrayList<>()));
            for (int step = 0; step < STEPS; step++) {
                if (rm.getResourceScheduler() instanceof RestHost) {
                    report(rm, nodes, step);
                }
                int who = random.nextInt(APPLICATIONS);
                ask(masters.get(who), random, held.get(who));
                for (int beat = 0; beat < NODES; beat++) {
                    nodes.get(random.nextInt(NODES)).nodeHeartbeat(true);
                    rm.drainEvents();
                }
                for (int i = 0; i < APPLICATIONS; i++) {
                    for (Container container : masters.get(i).schedule().getAllocatedContainers()) {
                        held.get(i).add(container.getId());
                        placements.add(
                                "%d: %d -> %s".formatted(i, container.getId().getContainerId(), container.getNodeId()));
                    }
                }
                rm.drainEvents();
            }
            atTheEnd.accept(rm);
        }
        assertThat(placements).as("containers placed in %d steps", STEPS).hasSizeGreaterThan(APPLICATIONS * 5);
        return placements;
    }

    /** Gives every node a fresh sample, so that only what a test takes away is missing. */
    private static void report(MockRM rm, List<MockNM> nodes, int step) {
        Instant now = Instant.now();
        for (MockNM node : nodes) {
            double level = (node.getNodeId().getPort() + step) % NODES / (double) NODES;
            Map<Signal, Reading> readings =
                    Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "injected"));
            ContainerReport neighbour = new ContainerReport("a neighbour", Duration.ofSeconds(step), false, readings);
            sources(rm)
                    .ingest()
                    .accept(
                            node.getNodeId().toString(),
                            HeartbeatCodec.encode(new NodeReport(1, step + 1, now, List.of(neighbour))),
                            now);
        }
    }

    private static void ask(MockAM master, Random random, List<ContainerId> held) throws Exception {
        List<ContainerId> released = new ArrayList<>();
        while (!held.isEmpty() && random.nextInt(3) == 0) {
            released.add(held.remove(random.nextInt(held.size())));
        }
        List<ResourceRequest> requests = new ArrayList<>();
        requests.add(master.createResourceReq(
                ResourceRequest.ANY, 512 * (1 + random.nextInt(4)), 1 + random.nextInt(2), random.nextInt(PRIORITIES)));
        master.allocate(requests, released);
    }
}
