package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * A random, seeded life of a cluster: a real ResourceManager with hand-driven heartbeats and synchronous scheduling, so that a seed
 * gives one sequence of events.
 */
final class SeededLife {
    private static final int NODES = 6;
    private static final int NODE_MB = 8 * 1024;
    static final int APPLICATIONS = 3;
    private static final int STEPS = 40;
    private static final int PRIORITIES = 4;
    private static final String TAG = "any-task";

    private SeededLife() {}

    /** The keys of all that {@link #ask} asks for. */
    static List<String> tasks() {
        return IntStream.range(0, PRIORITIES)
                .mapToObj(priority -> TAG + "/priority-" + priority)
                .toList();
    }

    static Sources sources(MockRM rm) {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }

    /** Returns where each container went, in order. */
    static List<String> placements(long seed, Configuration conf) throws Exception {
        return placements(seed, conf, rm -> {});
    }

    static List<String> placements(long seed, Configuration conf, Consumer<MockRM> atTheEnd) throws Exception {
        return placements(
                seed,
                conf,
                (rm, node) -> {
                    node.nodeHeartbeat(true);
                    rm.drainEvents();
                },
                atTheEnd);
    }

    /** Lets the scheduler look at one node. */
    @FunctionalInterface
    interface Beat {
        void of(MockRM rm, MockNM node) throws Exception;
    }

    static List<String> placements(long seed, Configuration conf, Beat beat, Consumer<MockRM> atTheEnd)
            throws Exception {
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
                                .withQueue(rm.getResourceScheduler() instanceof FairScheduler ? "root.any" : "default")
                                .build());
                masters.add(MockRM.launchAndRegisterAM(app, rm, nodes.get(i)));
            }
            letFairSharesBeUpdated();
            List<List<ContainerId>> held = new ArrayList<>();
            masters.forEach(master -> held.add(new ArrayList<>()));
            for (int step = 0; step < STEPS; step++) {
                if (rm.getResourceScheduler() instanceof RestHost) {
                    report(rm, nodes, step);
                }
                if (rm.getResourceScheduler() instanceof FairScheduler fair) {
                    // Not by a thread of its own: its clock would be this machine's.
                    fair.update();
                }
                int who = random.nextInt(APPLICATIONS);
                ask(masters.get(who), random, held.get(who));
                for (int i = 0; i < NODES; i++) {
                    beat.of(rm, nodes.get(random.nextInt(NODES)));
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

    /** The FairScheduler has its own thread update shares once a node has come: it is to be done before the first step, not during one. */
    private static void letFairSharesBeUpdated() {
        await("whoever updates shares waits for the next time")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("SchedulerUpdateThread"))
                        .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    /** Returns how many placements the plugin has recorded. */
    static long recorded(Sources plugin) {
        return plugin.placement().decisions().counts().values().stream()
                .mapToLong(Long::longValue)
                .sum();
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
