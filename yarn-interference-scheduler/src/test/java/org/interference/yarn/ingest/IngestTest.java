package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class IngestTest {
    private static final String NODE = "node-1:8041";
    private static final IngestSettings SETTINGS = new IngestSettings(5, 4096, Duration.ofMinutes(10));

    private final List<NodeSample> handedOn = new ArrayList<>();
    private final Ingest ingest = new Ingest(SETTINGS, Duration.ofSeconds(1), handedOn::add);

    @Test
    void acceptedReportIsHeldAndHandedOn() {
        IngestOutcome outcome = ingest.accept(NODE, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);

        assertThat(outcome).isEqualTo(IngestOutcome.ACCEPTED);
        assertThat(ingest.newest(NODE)).hasValueSatisfying(sample -> {
            assertThat(sample.report().sequence()).isEqualTo(1);
            assertThat(sample.receivedAt()).isEqualTo(T0);
        });
        assertThat(handedOn).containsExactly(ingest.newest(NODE).orElseThrow());
    }

    @Test
    void newerReportReplacesTheOlder() {
        ingest.accept(NODE, heartbeat(1), T0);

        ingest.accept(NODE, heartbeat(2), T0.plusSeconds(1));

        assertThat(ingest.newest(NODE).orElseThrow().report().sequence()).isEqualTo(2);
        assertThat(handedOn).hasSize(2);
    }

    @Test
    void lateHeartbeatDoesNotOverwriteNewerSample() {
        ingest.accept(NODE, heartbeat(7), T0);

        IngestOutcome outcome = ingest.accept(NODE, heartbeat(6), T0.plusSeconds(1));

        assertThat(outcome).isEqualTo(IngestOutcome.LATE);
        assertThat(ingest.newest(NODE).orElseThrow().report().sequence()).isEqualTo(7);
        assertThat(handedOn).hasSize(1);
    }

    @Test
    void repeatedHeartbeatDoesNotMakeItsSampleYounger() {
        ingest.accept(NODE, heartbeat(7), T0);

        IngestOutcome outcome = ingest.accept(NODE, heartbeat(7), T0.plusSeconds(4));

        assertThat(outcome).isEqualTo(IngestOutcome.REPEATED);
        assertThat(ingest.fresh(NODE, T0.plusSeconds(6))).isEmpty();
    }

    @Test
    void newIncarnationIsAcceptedThoughItsSequenceRestarts() {
        ingest.accept(NODE, HeartbeatCodec.encode(new NodeReport(1000, 900, T0, List.of())), T0);

        IngestOutcome outcome =
                ingest.accept(NODE, HeartbeatCodec.encode(new NodeReport(2000, 1, T0, List.of())), T0.plusSeconds(1));

        assertThat(outcome).isEqualTo(IngestOutcome.ACCEPTED);
        assertThat(ingest.newest(NODE).orElseThrow().report().incarnation()).isEqualTo(2000);
    }

    @Test
    void sequencesOfTwoNodesAreIndependent() {
        ingest.accept(NODE, heartbeat(7), T0);

        IngestOutcome outcome = ingest.accept("node-2:8041", heartbeat(1), T0);

        assertThat(outcome).isEqualTo(IngestOutcome.ACCEPTED);
        assertThat(ingest.all()).extracting(NodeSample::node).containsExactlyInAnyOrder(NODE, "node-2:8041");
    }

    @ParameterizedTest
    @CsvSource({"600000, ACCEPTED", "600001, CLOCK_SKEWED", "-600000, ACCEPTED", "-600001, CLOCK_SKEWED"})
    void skewBeyondTheThresholdIsCountedInEitherDirection(long skewMillis, IngestOutcome expected) {
        NodeReport report = new NodeReport(1, 1, T0.plusMillis(skewMillis), List.of());

        assertThat(ingest.accept(NODE, HeartbeatCodec.encode(report), T0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -3_600_000, 3_600_000, Long.MAX_VALUE})
    void nodeIsUsedWhateverItsClockSays(long millisSinceTheEpoch) {
        NodeReport report = new NodeReport(1, 1, Instant.ofEpochMilli(millisSinceTheEpoch), List.of());

        assertThat(ingest.accept(NODE, HeartbeatCodec.encode(report), T0)).isEqualTo(IngestOutcome.CLOCK_SKEWED);

        assertThat(ingest.fresh(NODE, T0.plusSeconds(5))).isPresent();
        assertThat(ingest.fresh(NODE, T0.plusSeconds(6))).isEmpty();
        assertThat(handedOn).hasSize(1);
    }

    @Test
    void clockThatJumpsBackwardsDoesNotMakeAReportLate() {
        ingest.accept(NODE, HeartbeatCodec.encode(new NodeReport(1, 1, T0, List.of())), T0);

        ingest.accept(
                NODE,
                HeartbeatCodec.encode(new NodeReport(1, 2, T0.minus(Duration.ofHours(1)), List.of())),
                T0.plusSeconds(1));

        assertThat(ingest.newest(NODE).orElseThrow().report().sequence()).isEqualTo(2);
    }

    @Test
    void nodeWhoseCountersFreezeWhileItsReportsGoOnIsUnknownAfterFiveHeartbeats() {
        for (int second = 0; second <= 6; second++) {
            ingest.accept(NODE, heartbeat(1 + second, running("c1", Vectors.cpu(0.9))), T0.plusSeconds(second));
            assertThat(ingest.fresh(NODE, T0.plusSeconds(second)).isPresent())
                    .as("fresh after %d s", second)
                    .isEqualTo(second <= 5);
        }

        ingest.accept(NODE, heartbeat(8, running("c1", Duration.ofSeconds(31), Vectors.cpu(0.25))), T0.plusSeconds(7));

        assertThat(ingest.fresh(NODE, T0.plusSeconds(7)).orElseThrow().running())
                .isEqualTo(Map.of("c1", Vectors.cpu(0.25)));
    }

    @Test
    void oneFrozenContainerIsLeftOutAfterFiveHeartbeatsAndTheOthersGoOnCounting() {
        for (int second = 0; second <= 6; second++) {
            ContainerReport moving = running("moving", Duration.ofSeconds(30 + second), Vectors.cpu(0.25));
            ingest.accept(
                    NODE, heartbeat(1 + second, moving, running("frozen", Vectors.cpu(0.9))), T0.plusSeconds(second));
        }

        NodeSample sample = ingest.fresh(NODE, T0.plusSeconds(6)).orElseThrow();
        assertThat(sample.running()).containsOnlyKeys("moving");
        assertThat(sample.frozen()).isEqualTo(1);
    }

    @Test
    void containerWithoutASampleAfterARestartOfItsSenderKeepsItsLevelsForFiveHeartbeats() {
        ingest.accept(NODE, heartbeat(9, running("c1", Vectors.cpu(0.9))), T0);

        for (int second = 1; second <= 6; second++) {
            NodeReport restarted = new NodeReport(2000, second, T0, List.of(unmeasured("c1")));
            ingest.accept(NODE, HeartbeatCodec.encode(restarted), T0.plusSeconds(second));
            if (second <= 5) {
                assertThat(ingest.newest(NODE).orElseThrow().load().level(Signal.CPU))
                        .isNotEmpty();
            }
        }

        assertThat(ingest.newest(NODE).orElseThrow().running()).isEmpty();
    }

    /** Reports list containers in any order, and not the same ones. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void containersFreezeOnTheirOwnThoughOthersComeGoAndChangePlaces(long seed) {
        Random random = new Random(seed);
        for (int second = 0; second <= 6; second++) {
            List<ContainerReport> containers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                containers.add(running("frozen-" + i, Vectors.cpu(0.5)));
                containers.add(running("moving-" + i, Duration.ofSeconds(30 + second), Vectors.cpu(0.25)));
                if (random.nextBoolean()) {
                    containers.add(running("short-%d-%d".formatted(second, i), Vectors.cpu(0.125)));
                }
            }
            Collections.shuffle(containers, random);
            ingest.accept(
                    NODE, heartbeat(1 + second, containers.toArray(ContainerReport[]::new)), T0.plusSeconds(second));
        }

        NodeSample sample = ingest.fresh(NODE, T0.plusSeconds(6)).orElseThrow();
        assertThat(sample.frozen()).isEqualTo(5);
        assertThat(sample.running().keySet())
                .noneMatch(container -> container.startsWith("frozen"))
                .filteredOn(container -> container.startsWith("moving"))
                .hasSize(5);
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void idleNodeStaysFreshThoughNothingInItsReportsMoves() {
        for (int second = 0; second <= 20; second++) {
            ingest.accept(NODE, heartbeat(1 + second), T0.plusSeconds(second));
        }

        assertThat(ingest.fresh(NODE, T0.plusSeconds(20))).isPresent();
    }

    @Test
    void nodeThatBecomesUnknownIsCountedOnceForEachTime() {
        Set<String> cluster = Set.of(NODE);
        ingest.accept(NODE, heartbeat(1), T0);
        ingest.sweep(cluster, T0.plusSeconds(5));
        assertThat(ingest.outcomes()).containsEntry(IngestOutcome.STALE, 0L);

        ingest.sweep(cluster, T0.plusSeconds(6));
        ingest.sweep(cluster, T0.plusSeconds(7));
        assertThat(ingest.outcomes()).containsEntry(IngestOutcome.STALE, 1L);

        ingest.accept(NODE, heartbeat(2), T0.plusSeconds(8));
        ingest.sweep(cluster, T0.plusSeconds(9));
        ingest.sweep(cluster, T0.plusSeconds(14));
        assertThat(ingest.outcomes()).containsEntry(IngestOutcome.STALE, 2L);
    }

    @Test
    void nodeWhoseReportsGoOnWithFrozenCountersIsCountedOnce() {
        for (int second = 0; second <= 20; second++) {
            ingest.accept(NODE, heartbeat(1 + second, running("c1", Vectors.cpu(0.9))), T0.plusSeconds(second));
            ingest.sweep(Set.of(NODE), T0.plusSeconds(second));
        }

        assertThat(ingest.outcomes()).containsEntry(IngestOutcome.STALE, 1L);
    }

    @Test
    void sampleOfANodeThatIsNoLongerInTheClusterIsSweptAway() {
        ingest.accept(NODE, heartbeat(1), T0);

        ingest.sweep(Set.of("node-2:8041"), T0);

        assertThat(ingest.all()).isEmpty();
    }

    @Test
    void coverageTellsFreshFromStaleFromNeverSeen() {
        ingest.accept(NODE, heartbeat(1), T0);
        ingest.accept("node-2:8041", heartbeat(1), T0.plusSeconds(6));

        Coverage coverage =
                ingest.coverage(List.of(NODE, "node-2:8041", "node-3:8041", "node-4:8041"), T0.plusSeconds(8));

        assertThat(coverage).isEqualTo(new Coverage(1, 1, 2, Duration.ofSeconds(8)));
    }

    @Test
    void nodeMeasuresASignalIfOneOfItsContainersDoesAndItIsFresh() {
        ingest.accept(NODE, heartbeat(1, running("c1", Vectors.cpu(0.5)), running("c2", Vectors.cpu(0.1))), T0);
        ingest.accept(
                "node-2:8041",
                heartbeat(1, unmeasured("c3"), running("c4", Vectors.of(Signal.BLK, 0.2))),
                T0.plusSeconds(6));
        ingest.accept(
                "node-3:8041",
                heartbeat(1, ended("c5", Vectors.cpu(0.5)), running("c6", Vectors.cpu(0.5))),
                T0.plusSeconds(6));
        List<String> nodes = List.of(NODE, "node-2:8041", "node-3:8041", "node-4:8041");

        assertThat(ingest.measured(nodes, T0.plusSeconds(8)))
                .hasSize(Signal.values().length)
                .containsEntry(Signal.CPU, 1)
                .containsEntry(Signal.BLK, 1)
                .containsEntry(Signal.MBW, 0);
    }

    @Test
    void whatHasEndedIsMeasuredNoMore() {
        ingest.accept(NODE, heartbeat(1, ended("c1", Vectors.cpu(0.5))), T0);

        assertThat(ingest.measured(List.of(NODE), T0)).containsEntry(Signal.CPU, 0);
    }

    @Test
    void sampleIsFreshForFiveHeartbeatsAndNotLonger() {
        ingest.accept(NODE, heartbeat(1), T0);

        assertThat(ingest.fresh(NODE, T0.plusSeconds(5))).isPresent();
        assertThat(ingest.fresh(NODE, T0.plusSeconds(5).plusMillis(1))).isEmpty();
        assertThat(ingest.newest(NODE)).isPresent();
    }

    @Test
    void noSampleIsFreshForMoreThanThreeMinutes() {
        Ingest slow = new Ingest(SETTINGS, Duration.ofMinutes(10), sample -> {});
        slow.accept(NODE, heartbeat(1), T0);

        assertThat(slow.fresh(NODE, T0.plusSeconds(180))).isPresent();
        assertThat(slow.fresh(NODE, T0.plusSeconds(180).plusMillis(1))).isEmpty();
    }

    @Test
    void nodeThatNeverReportedHasNoSample() {
        assertThat(ingest.fresh(NODE, T0)).isEmpty();
        assertThat(ingest.newest(NODE)).isEmpty();
    }

    @Test
    void forgottenNodeStartsOver() {
        ingest.accept(NODE, heartbeat(7), T0);

        ingest.forget(NODE);

        assertThat(ingest.newest(NODE)).isEmpty();
        assertThat(ingest.accept(NODE, heartbeat(1), T0)).isEqualTo(IngestOutcome.ACCEPTED);
    }

    @Test
    void onlyContainersThatRunAndWereMeasuredCount() {
        ingest.accept(
                NODE,
                heartbeat(
                        1,
                        running("runs", Vectors.cpu(0.25)),
                        ended("ended", Vectors.cpu(0.5)),
                        unmeasured("not measured")),
                T0);

        NodeSample sample = ingest.newest(NODE).orElseThrow();
        assertThat(sample.running()).containsOnlyKeys("runs");
        assertThat(sample.load().level(Signal.CPU)).hasValue(0.25);
    }

    @Test
    void everyOutcomeIsCountedUnderItsName() {
        ingest.accept(NODE, heartbeat(1), T0);
        ingest.accept(NODE, heartbeat(2), T0);
        ingest.accept(NODE, heartbeat(2), T0);
        ingest.accept(NODE, heartbeat(1), T0);
        ingest.accept(NODE, "garbage".getBytes(StandardCharsets.UTF_8), T0);
        ingest.accept(NODE, new byte[4097], T0);
        ingest.accept(NODE, new byte[] {8, 99}, T0);
        ingest.accept(NODE, heartbeat(3), T0.plus(Duration.ofDays(1)));
        ingest.count(IngestOutcome.FAILED);

        assertThat(ingest.outcomes())
                .containsEntry(IngestOutcome.ACCEPTED, 2L)
                .containsEntry(IngestOutcome.REPEATED, 1L)
                .containsEntry(IngestOutcome.LATE, 1L)
                .containsEntry(IngestOutcome.MALFORMED, 1L)
                .containsEntry(IngestOutcome.OVERSIZED, 1L)
                .containsEntry(IngestOutcome.UNKNOWN_VERSION, 1L)
                .containsEntry(IngestOutcome.CLOCK_SKEWED, 1L)
                .containsEntry(IngestOutcome.FAILED, 1L);
    }

    @Test
    void outcomeThatNeverHappenedIsCountedAsZero() {
        assertThat(ingest.outcomes()).containsOnlyKeys(IngestOutcome.values()).containsEntry(IngestOutcome.LATE, 0L);
    }

    @Test
    void listenerThatThrowsDoesNotEscape() {
        Ingest broken = new Ingest(SETTINGS, Duration.ofSeconds(1), sample -> {
            throw new IllegalStateException("the listener is broken");
        });

        IngestOutcome outcome = broken.accept(NODE, heartbeat(1), T0);

        assertThat(outcome).isEqualTo(IngestOutcome.FAILED);
        assertThat(broken.outcomes()).containsEntry(IngestOutcome.FAILED, 1L).containsEntry(IngestOutcome.ACCEPTED, 0L);
    }
}
