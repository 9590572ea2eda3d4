package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;
import static org.interference.yarn.it.ScriptedHeartbeats.report;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Verdict;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong with a node's heartbeats, over real RPC; the node is the first of three and goes on serving. */
class HeartbeatFaultsTest {
    private static final int NODES = 3;
    private static final int NODE_MB = 4096;
    private static final int TASK_MB = 256;
    private static final int TASK_PRIORITY = 1;
    private static final double QUIET = 0.0625;
    private static final double BUSY = 0.9;
    /** Of every sender here: a new one for each test, so that sequences start over. */
    private static final AtomicLong INCARNATION = new AtomicLong();

    @TempDir
    private static Path store;

    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Profiles.store(store, 0.3, List.of("cpu-task/priority-" + TASK_PRIORITY));
        cluster = MiniCluster.start(HeartbeatFaultsTest.class.getSimpleName(), NODES, conf -> {
            conf.set("yarn.interference.profile.store-dir", store.toString());
            conf.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 200);
            conf.setInt("yarn.interference.ingest.sample-max-age-heartbeats", 50);
        });
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void theOtherNodesAreBusy() {
        long incarnation = INCARNATION.incrementAndGet();
        for (int i = 1; i < NODES; i++) {
            ScriptedHeartbeats.send(
                    cluster.nodeManager(i), beat -> HeartbeatCodec.encode(report(incarnation, beat, BUSY, 1)));
        }
        awaitCpu(1, BUSY);
        awaitCpu(2, BUSY);
    }

    @AfterEach
    void nothingBrokeAndEveryNodeServes() throws Exception {
        assertThat(count(IngestOutcome.FAILED)).isZero();
        assertThat(cluster.sources().placement().gate().health().errors()).isZero();
        try (FakeApplication whole = FakeApplication.start(cluster.conf(), "whole cluster")) {
            List<Container> placed = whole.ask(NODES, NODE_MB, TASK_PRIORITY);

            assertThat(placed)
                    .extracting(container -> container.getNodeId().toString())
                    .containsExactlyInAnyOrder(cluster.node(0), cluster.node(1), cluster.node(2));
            whole.release(placed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void aNodeWhoseClockIsAnHourOffIsUsedAndCounted(int hours) throws Exception {
        long before = count(IngestOutcome.CLOCK_SKEWED);
        long incarnation = INCARNATION.get();
        firstNodeSends(beat -> {
            Instant measuredAt = Instant.now().plus(Duration.ofHours(hours));
            return HeartbeatCodec.encode(
                    report(incarnation, beat, measuredAt, Duration.ofMillis(200 * beat), QUIET, 1));
        });
        // Not the first that is skewed: until its next heartbeat the node may send what the test before gave it.
        await("a sample %d h off".formatted(hours)).atMost(PATIENCE).until(() -> fresh(0).filter(
                        sample -> Math.abs(sample.clockSkew().toMinutes() - hours * 60L) <= 1)
                .isPresent());

        Decision decision = placeOne();

        assertThat(decision.chosen()).isEqualTo(cluster.node(0));
        assertThat(decision.ranking().reason()).isEqualTo(Ranking.Reason.RANKED);
        assertThat(count(IngestOutcome.CLOCK_SKEWED)).isGreaterThan(before);
    }

    @Test
    void repeatedAndLateReportsAreCountedAndNeverReplaceANewerOne() throws Exception {
        long repeated = count(IngestOutcome.REPEATED);
        long late = count(IngestOutcome.LATE);
        long incarnation = INCARNATION.get();
        firstNodeSends(beat -> HeartbeatCodec.encode(report(incarnation, beat + 1, QUIET, 1)));
        // What is late must be older than what is held, however many heartbeats the decoder leaves out when it has no
        // time.
        await("a report of this test").atMost(PATIENCE).until(() -> held(incarnation));
        long first = sample().report().sequence() + 1000;
        // By fours: a report, the same again, the very first one with another load, and the next one.
        firstNodeSends(beat -> {
            long next = first + beat / 4 * 4;
            return HeartbeatCodec.encode(
                    switch ((int) (beat % 4)) {
                        case 0, 1 -> quiet(incarnation, next, beat);
                        case 2 -> report(incarnation, 1, BUSY, 1);
                        default -> quiet(incarnation, next + 1, beat);
                    });
        });

        await("repeated and late reports").atMost(PATIENCE).until(() -> {
            assertThat(sample().load().level(Signal.CPU)).hasValue(QUIET);
            return count(IngestOutcome.REPEATED) > repeated + 2 && count(IngestOutcome.LATE) > late + 2;
        });

        Decision decision = placeOne();
        assertThat(decision.chosen()).as("%s", decision).isEqualTo(cluster.node(0));
    }

    /** Its containers are observed for as long as this sender sends, whatever the sequence: a leap in time would not be believed. */
    private static NodeReport quiet(long incarnation, long sequence, long beat) {
        return report(incarnation, sequence, Instant.now(), Duration.ofMillis(200 * beat), QUIET, 1);
    }

    static Stream<Arguments> payloadsThatAreNoReport() {
        Random random = new Random(7);
        byte[] few = new byte[64];
        byte[] many = new byte[10 << 20];
        random.nextBytes(few);
        random.nextBytes(many);
        // A field number of 0 exists in no protobuf message, so that this is no report by chance.
        few[0] = 0;
        byte[] sound = HeartbeatCodec.encode(report(1, 1, QUIET, 3));
        byte[] newer = sound.clone();
        assertThat(newer).startsWith(8, 2);
        newer[1]++;
        return Stream.of(
                Arguments.of("random bytes", few, IngestOutcome.MALFORMED),
                Arguments.of("10 MB", many, IngestOutcome.OVERSIZED),
                Arguments.of("cut off", Arrays.copyOf(sound, sound.length / 2), IngestOutcome.MALFORMED),
                Arguments.of("of the next version", newer, IngestOutcome.UNKNOWN_VERSION));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("payloadsThatAreNoReport")
    void aPayloadThatIsNoReportIsCountedByKindAndTheNodeKeepsItsLastSample(
            String what, byte[] payload, IngestOutcome kind) throws Exception {
        firstNodeIs(QUIET);
        long before = count(kind);
        firstNodeSends(beat -> payload);

        awaitMore(kind, before);

        assertThat(sample().load().level(Signal.CPU)).hasValue(QUIET);
    }

    /** The scheduler knows none of them: a few count as load, or every decision would take longer. */
    @Test
    void aThousandContainersThatNobodyKnowsAreTakenAndTheNodeIsRanked() throws Exception {
        long incarnation = INCARNATION.get();
        firstNodeSends(beat -> HeartbeatCodec.encode(report(incarnation, beat, QUIET, 1000)));
        await("a thousand containers").atMost(PATIENCE).until(() -> fresh(0).filter(
                        sample -> sample.report().containers().size() == 1000)
                .isPresent());
        assertThat(sample().running()).hasSize(16);

        Decision decision = placeOne();

        assertThat(decision.chosen()).isEqualTo(cluster.node(0));
        assertThat(decision.ranking().verdicts())
                .hasSize(NODES)
                .allMatch(verdict -> verdict.reason() == Verdict.Reason.RANKED);
    }

    /** A report by the sender's incarnation and the number of the heartbeat. */
    @FunctionalInterface
    interface Script {
        NodeReport report(long incarnation, long beat);
    }

    /** How the counters of a node can come to a halt. */
    static Stream<Arguments> kindsOfFreezing() {
        return Stream.of(
                Arguments.of("the same report again and again", (Script)
                        (incarnation, beat) -> report(incarnation, 1, BUSY, 2)),
                Arguments.of("new reports of the same old measurement", (Script) (incarnation, beat) ->
                        report(incarnation, beat, Instant.now(), Duration.ofSeconds(30), BUSY, 2)),
                Arguments.of("no report any more", (Script) null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kindsOfFreezing")
    void aNodeThatFreezesAtAHighLevelIsAvoidedAndThenUsedAgain(String how, Script frozen) throws Exception {
        for (int i = 1; i < NODES; i++) {
            long incarnation = INCARNATION.get();
            ScriptedHeartbeats.send(
                    cluster.nodeManager(i), beat -> HeartbeatCodec.encode(report(incarnation + 1000, beat, QUIET, 1)));
        }
        awaitCpu(1, QUIET);
        awaitCpu(2, QUIET);
        long stale = count(IngestOutcome.STALE);
        firstNodeIs(BUSY);
        assertThat(placeOne().chosen()).as("while fresh").isNotEqualTo(cluster.node(0));

        if (frozen == null) {
            ScriptedHeartbeats.sendNothing(cluster.nodeManager(0));
        } else {
            long incarnation = INCARNATION.incrementAndGet();
            firstNodeSends(beat -> HeartbeatCodec.encode(frozen.report(incarnation, beat)));
        }

        await("the frozen node to be stale").atMost(PATIENCE).until(() -> fresh(0).isEmpty());
        awaitMore(IngestOutcome.STALE, stale);
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task")) {
            // Its place is the parent's, which prefers the nodes with the most room: full neighbours make it the first.
            Container there = await("a task on the frozen node")
                    .atMost(PATIENCE)
                    .until(
                            () -> tasks.ask(1, TASK_MB, TASK_PRIORITY).get(0),
                            placed -> placed.getNodeId().toString().equals(cluster.node(0)));
            Decision newest = cluster.decision(there);
            assertThat(newest.ranking().reason()).isEqualTo(Ranking.Reason.RANKED);
            assertThat(newest.ranking().verdicts())
                    .filteredOn(verdict -> verdict.node().equals(cluster.node(0)))
                    .extracting(Verdict::reason)
                    .containsExactly(Verdict.Reason.NEUTRAL_NO_SAMPLE);
        }
    }

    private static void firstNodeIs(double cpu) {
        long incarnation = INCARNATION.get();
        firstNodeSends(beat -> HeartbeatCodec.encode(report(incarnation, beat, cpu, 1)));
        // The test before may have left the same level, but not of the same containers.
        await("a report of this test").atMost(PATIENCE).until(() -> held(incarnation));
        awaitCpu(0, cpu);
    }

    /** Whether the newest sample of the first node is from that sender. */
    private static boolean held(long incarnation) {
        return cluster.sources()
                .ingest()
                .newest(cluster.node(0))
                .filter(sample -> sample.report().incarnation() == incarnation)
                .isPresent();
    }

    private static void firstNodeSends(LongFunction<byte[]> payloads) {
        ScriptedHeartbeats.send(cluster.nodeManager(0), payloads);
    }

    /** Places one task with a profile and returns the decision about it; the task is gone then. */
    private static Decision placeOne() throws Exception {
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "task", "ifc:cpu-task")) {
            return cluster.decision(tasks.ask(1, TASK_MB, TASK_PRIORITY).get(0));
        }
    }

    private static void awaitCpu(int node, double level) {
        await("node %d to press by %s".formatted(node, level))
                .atMost(PATIENCE)
                .until(() -> cpu(node), cpu -> cpu.isPresent() && Math.abs(cpu.get() - level) < 1e-3);
    }

    private static void awaitMore(IngestOutcome outcome, long before) {
        await("more than %d times %s".formatted(before, outcome))
                .atMost(PATIENCE)
                .until(() -> count(outcome), count -> count > before);
    }

    private static Optional<Double> cpu(int node) {
        return fresh(node).map(sample -> sample.load().level(Signal.CPU).orElse(0));
    }

    private static Optional<NodeSample> fresh(int node) {
        return cluster.sources().ingest().fresh(cluster.node(node), Instant.now());
    }

    private static NodeSample sample() {
        return cluster.sources().ingest().newest(cluster.node(0)).orElseThrow();
    }

    private static long count(IngestOutcome outcome) {
        return cluster.sources().ingest().outcomes().get(outcome);
    }
}
