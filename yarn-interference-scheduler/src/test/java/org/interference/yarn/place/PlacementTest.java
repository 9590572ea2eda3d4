package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final Request MAP = new Request("attempt_1", "priority 20", Tasks.SORT, false);
    private static final Request MASTER = new Request("attempt_1", "priority 0", Tasks.SORT, true);
    private static final InterferenceVector HALF_A_CPU = Vectors.cpu(0.5);

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final ProfileRepository profiles = Tasks.repository(HALF_A_CPU, Duration.ofSeconds(10));
    private final Placement placement = new Placement(ingest, profiles, new FakePredictor(), settings(Mode.ON));

    @Test
    void quieterNodeIsRankedFirst() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.75))), T0);
        ingest.accept(B, heartbeat(1, running("c2", Vectors.cpu(0.25))), T0);

        Ranking ranking = placement.ranking().rank(MAP, T0, () -> candidates(T0, A, B));

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.RANKED);
        assertThat(ranking.reorders()).isTrue();
        assertThat(ranking.verdicts()).extracting(Verdict::node).containsExactly(B, A);
    }

    @Test
    void applicationMasterIsLeftToTheParentWithoutLookingAtANode() {
        Ranking ranking = placement.ranking().rank(MASTER, T0, () -> {
            throw new AssertionError("the candidates were asked for");
        });

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.PARENT_AM_CONTAINER);
        assertThat(ranking.reorders()).isFalse();
        assertThat(placement.gate().health().errors()).isZero();
    }

    @Test
    void taskWithoutAProfileIsLeftToTheParentWithoutLookingAtANode() {
        Placement ignorant = new Placement(ingest, new ProfileRepository(1), new FakePredictor(), settings(Mode.ON));

        Ranking ranking = ignorant.ranking().rank(MAP, T0, () -> {
            throw new AssertionError("the candidates were asked for");
        });

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.PARENT_NO_PROFILE);
        assertThat(ignorant.gate().health().errors()).isZero();
    }

    @Test
    void clusterWithoutAnySampleIsLeftToTheParent() {
        Ranking ranking = placement.ranking().rank(MAP, T0, () -> candidates(T0, A, B));

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.PARENT_NOTHING_KNOWN);
        assertThat(ranking.verdicts()).isEmpty();
    }

    @Test
    void staleSampleCountsAsNone() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.75))), T0);

        assertThat(placement.accounts().load(A, T0.plusSeconds(5))).isPresent();
        assertThat(placement.accounts().load(A, T0.plusSeconds(6))).isEmpty();
    }

    @Test
    void shadowRanksButDoesNotReorder() {
        Placement shadow = new Placement(ingest, profiles, new FakePredictor(), settings(Mode.SHADOW));
        ingest.accept(A, heartbeat(1), T0);

        Ranking ranking = shadow.ranking().rank(MAP, T0, () -> candidates(T0, A));

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.RANKED);
        assertThat(ranking.reorders()).isFalse();
    }

    @Test
    void predictorThatThrowsLeavesTheTaskToTheParentAndIsCounted() {
        Placement broken = new Placement(ingest, profiles, new BrokenFakePredictor(), settings(Mode.ON));
        ingest.accept(A, heartbeat(1), T0);

        Ranking ranking = broken.ranking().rank(MAP, T0, () -> candidates(T0, A));

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.PARENT_AFTER_ERROR);
        assertThat(broken.gate().health().errors()).isEqualTo(1);
        assertThat(broken.gate().health().breakerErrors()).isEqualTo(1);
        assertThat(broken.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void breakerTurnsOnToShadowAtTheLastAllowedError() {
        placement.gate().failed(new IllegalStateException("first"));
        placement.gate().failed(new IllegalStateException("second"));
        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);

        placement.gate().failed(new IllegalStateException("third"));

        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
        assertThat(placement.gate().health().configuredMode()).isEqualTo(Mode.ON);
        assertThat(placement.gate().health().breakerOpen()).hasValueSatisfying(why -> assertThat(why)
                .startsWith("3 errors within 10 minutes, the last: java.lang.IllegalStateException at "));
    }

    @Test
    void predictorThatHangsIsNotHeardAndThenNotAsked() {
        AtomicLong tick = new AtomicLong();
        AtomicInteger asked = new AtomicInteger();
        SlowdownPredictor hanging = new SlowdownPredictor() {
            @Override
            public String name() {
                return "hanging";
            }

            @Override
            public Prediction predict(Situation situation) {
                asked.incrementAndGet();
                tick.addAndGet(600_000_000);
                return new Prediction.Slowdown(1);
            }
        };
        PlaceSettings limited = PlaceSettings.from(
                Map.of("yarn.interference.place.mode", "on", "yarn.interference.place.time-share", "1")::getOrDefault);
        Placement slow = new Placement(ingest, profiles, hanging, limited, container -> Optional.empty(), tick::get);
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);

        assertThat(slow.ranking().rank(MAP, T0, () -> candidates(T0, A, B)).reason())
                .isEqualTo(Ranking.Reason.PARENT_TOO_SLOW);
        assertThat(asked).as("no other node is looked at").hasValue(1);
        assertThat(slow.gate().mode()).isEqualTo(Mode.ON);
        for (int i = 2; i < 100 && slow.gate().mode() == Mode.ON; i++) {
            ingest.accept(A, heartbeat(i, running("c" + i, Vectors.cpu(i / 100.0))), T0);
            slow.ranking().rank(MAP, T0, () -> candidates(T0, A, B));
        }

        assertThat(slow.gate().mode()).isEqualTo(Mode.SHADOW);
        assertThat(slow.gate().health().tooSlow())
                .as("each of them counts for a tenth of a second")
                .isBetween(10L, 12L);
        int before = asked.get();
        assertThat(slow.ranking().rank(MAP, T0, () -> candidates(T0, B)).reason())
                .isEqualTo(Ranking.Reason.PARENT_NO_TIME);
        assertThat(asked).hasValue(before);
    }

    /** On, with the limits that it is installed with. */
    private Placement timedBy(AtomicLong tick) {
        return new Placement(
                ingest,
                profiles,
                new FakePredictor(),
                PlaceSettings.from(Map.of("yarn.interference.place.mode", "on")::getOrDefault),
                container -> Optional.empty(),
                tick::get);
    }

    @Test
    void whoHasHadItsShareOfTheTimeLeavesTheRestToTheParent() {
        AtomicLong tick = new AtomicLong();
        Placement busy = timedBy(tick);
        ingest.accept(A, heartbeat(1), T0);
        for (int i = 0; i < 20; i++) {
            long began = busy.gate().begin();
            tick.addAndGet(1_000_000);
            busy.gate().spent(began);
        }

        assertThat(busy.ranking().rank(MAP, T0, () -> candidates(T0, A)).reason())
                .isEqualTo(Ranking.Reason.PARENT_NO_TIME);
        assertThat(busy.ranking().choices()).isEqualTo(1);
        tick.addAndGet(1_000_000_000);
        assertThat(busy.ranking().rank(MAP, T0, () -> candidates(T0, A)).reason())
                .isEqualTo(Ranking.Reason.RANKED);
    }

    @Test
    void whatADecisionHasTheParentDoIsChargedToTheShareButNoDecisionsTime() {
        AtomicLong tick = new AtomicLong();
        Placement busy = timedBy(tick);
        ingest.accept(A, heartbeat(1), T0);
        for (int i = 0; i < 20; i++) {
            long began = busy.gate().begin();
            tick.addAndGet(1_000_000);
            busy.gate().caused(began);
        }

        assertThat(busy.ranking().rank(MAP, T0, () -> candidates(T0, A)).reason())
                .isEqualTo(Ranking.Reason.PARENT_NO_TIME);
        assertThat(busy.gate().timeSpent()).isZero();
    }

    @Test
    void ofAPauseInsideADecisionNoMoreCountsThanADecisionMayTake() {
        AtomicLong tick = new AtomicLong();
        Placement paused = timedBy(tick);
        ingest.accept(A, heartbeat(1), T0);
        long began = paused.gate().begin();
        tick.addAndGet(Duration.ofMinutes(1).toNanos());
        paused.gate().spent(began);

        assertThat(paused.gate().timeSpent()).isEqualTo(Duration.ofMillis(1));
        assertThat(paused.ranking().rank(MAP, T0, () -> candidates(T0, A)).reason())
                .isEqualTo(Ranking.Reason.RANKED);
    }

    @Test
    void eachDecisionIsTimedAndWhatWasSpentIsCounted() {
        AtomicLong tick = new AtomicLong();
        SlowdownPredictor slow = new SlowdownPredictor() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public Prediction predict(Situation situation) {
                tick.addAndGet(150_000);
                return new Prediction.Slowdown(1);
            }
        };
        PlaceSettings settings = PlaceSettings.from(Map.of("yarn.interference.place.mode", "on")::getOrDefault);
        Placement timed = new Placement(ingest, profiles, slow, settings, container -> Optional.empty(), tick::get);
        ingest.accept(A, heartbeat(1), T0);
        long began = timed.gate().begin();

        timed.ranking().rank(MASTER, T0, () -> candidates(T0, A));
        timed.ranking().rank(MAP, T0, () -> candidates(T0, A));
        timed.gate().spent(began);

        assertThat(timed.gate().decisionTimes().count())
                .as("a master's is no decision")
                .isEqualTo(1);
        assertThat(timed.gate().decisionTimes().withinMicros())
                .containsEntry(100, 0L)
                .containsEntry(200, 1L);
        assertThat(timed.gate().timeSpent()).isEqualTo(Duration.ofNanos(150_000));
        assertThat(timed.gate().timeShare()).isEqualTo(0.05);
    }

    @Test
    void queuesWithAModeOfTheirOwnAreShownInTheModeInForce() {
        Placement byQueue = new Placement(
                ingest,
                profiles,
                new FakePredictor(),
                PlaceSettings.from(
                        Map.of("yarn.interference.place.queue-modes", "root.a=on,root.b=on,root.c=off")::getOrDefault));

        assertThat(byQueue.gate().health().queueModes())
                .isEqualTo(Map.of("root.a", Mode.ON, "root.b", Mode.ON, "root.c", Mode.OFF));
        for (int i = 0; i < byQueue.gate().settings().breakerErrors(); i++) {
            byQueue.gate().failed(new IllegalStateException("an error"));
        }
        assertThat(byQueue.gate().health().queueModes())
                .isEqualTo(Map.of("root.a", Mode.SHADOW, "root.b", Mode.SHADOW, "root.c", Mode.OFF));
    }

    @Test
    void openBreakerDoesNotTurnOffToShadow() {
        Placement off = new Placement(ingest, profiles, new FakePredictor(), settings(Mode.OFF));

        for (int i = 0; i < 3; i++) {
            off.gate().failed(new IllegalStateException("error " + i));
        }

        assertThat(off.gate().mode()).isEqualTo(Mode.OFF);
    }

    @Test
    void refreshClosesTheBreakerAndCountsAnew() {
        for (int i = 0; i < 3; i++) {
            placement.gate().failed(new IllegalStateException("error " + i));
        }

        placement.refresh(settings(Mode.ON));
        placement.gate().failed(new IllegalStateException("one more"));

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
        assertThat(placement.gate().health().breakerErrors()).isEqualTo(1);
        assertThat(placement.gate().health().errors()).isEqualTo(4);
    }

    @Test
    void refreshChangesTheMode() {
        placement.refresh(settings(Mode.OFF));

        assertThat(placement.gate().mode()).isEqualTo(Mode.OFF);
    }

    @Test
    void batchProposedOneByOneSpreadsEvenlyOverTwoEqualNodes() {
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);
        Map<String, Integer> placed = new TreeMap<>();

        for (int i = 0; i < 10; i++) {
            String best = placement
                    .ranking()
                    .rank(MAP, T0, () -> candidates(T0, A, B))
                    .verdicts()
                    .get(0)
                    .node();
            placement.proposed("c" + i, best, MAP, T0);
            placed.merge(best, 1, Integer::sum);
        }

        assertThat(placed).isEqualTo(Map.of(A, 5, B, 5));
    }

    @Test
    void proposedContainerWeighsWhatItsProfileSays() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.25))), T0);

        placement.proposed("c2", A, MAP, T0);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.25), HALF_A_CPU);
        assertThat(placement.accounts().unmeasured(A, T0)).isEqualTo(1);
    }

    @Test
    void expectationsThatNothingMetAreGivenUpOnNodesThatNobodyRanks() {
        placement.proposed("c1", A, MAP, T0);
        placement.proposed("c2", B, MAP, T0.plusSeconds(60));

        placement.sweep(T0.plusSeconds(121));

        assertThat(placement.accounts().unmeasured(T0)).isEqualTo(1);
    }

    @Test
    void containerProposedTwiceWeighsOnce() {
        ingest.accept(A, heartbeat(1), T0);

        placement.proposed("c1", A, MAP, T0);
        placement.proposed("c1", A, MAP, T0.plusSeconds(1));

        assertThat(placement.accounts().load(A, T0.plusSeconds(1)).orElseThrow().containers())
                .hasSize(1);
    }

    @Test
    void containerWithoutAProfileWeighsNothing() {
        Placement ignorant = new Placement(ingest, new ProfileRepository(1), new FakePredictor(), settings(Mode.ON));
        ingest.accept(A, heartbeat(1), T0);

        ignorant.proposed("c1", A, MAP, T0);

        assertThat(ignorant.accounts().load(A, T0).orElseThrow().containers()).isEmpty();
    }

    @Test
    void firstSampleReplacesTheExpectation() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);

        ingest.accept(A, heartbeat(2, running("c1", Vectors.cpu(0.125))), T0.plusSeconds(1));

        assertThat(placement.accounts().load(A, T0.plusSeconds(1)).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.125));
        assertThat(placement.accounts().unmeasured(A, T0.plusSeconds(1))).isZero();
    }

    /** The background accounts for what the parent has placed, up to a second later. */
    @Test
    void containerThatIsAccountedForAfterItsFirstSampleWeighsOnce() {
        accountForMeasuredOneBesideAnExpectedOne();
        assertThat(placement.accounts().load(A, T0).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.125), HALF_A_CPU);
        placement.sweep(T0);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.125), HALF_A_CPU);
    }

    /** Between two questions one container comes, and the background gives it up: the sample shows it. */
    @Test
    void nobodyWeighsTwiceWhenWhatCameLastIsGivenUp() {
        accountForMeasuredOneBesideAnExpectedOne();
        placement.sweep(T0);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.125), HALF_A_CPU);
    }

    /** The node's load was read before. */
    private void accountForMeasuredOneBesideAnExpectedOne() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);
        ingest.accept(A, heartbeat(2, running("c2", Vectors.cpu(0.125))), T0);
        placement.accounts().load(A, T0);

        placement.proposed("c2", A, MAP, T0);
    }

    @Test
    void reportWithoutAnyMeasurementDoesNotReplaceTheExpectation() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);

        ingest.accept(A, heartbeat(2, unmeasured("c1")), T0.plusSeconds(1));

        assertThat(placement.accounts().load(A, T0.plusSeconds(1)).orElseThrow().containers())
                .containsExactly(HALF_A_CPU);
    }

    @Test
    void sampleOfAnotherContainerLeavesTheExpectation() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);

        ingest.accept(A, heartbeat(2, running("c9", Vectors.cpu(0.125))), T0.plusSeconds(1));

        assertThat(placement.accounts().load(A, T0.plusSeconds(1)).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.125), HALF_A_CPU);
    }

    @Test
    void droppedProposalWeighsNothingAndIsCounted() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);

        placement.dropped("c1", A);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).isEmpty();
        assertThat(placement.decisions().proposalsDropped()).isEqualTo(1);
    }

    @Test
    void confirmedProposalWeighsOnceUnderTheIdOfItsContainer() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("proposal-1", A, MAP, T0);

        placement.confirmed("proposal-1", "c1", A);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).containsExactly(HALF_A_CPU);
        ingest.accept(A, heartbeat(2, running("c1", Vectors.cpu(0.25))), T0);
        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).containsExactly(Vectors.cpu(0.25));
        assertThat(placement.decisions().proposalsDropped()).isZero();
    }

    @Test
    void completedContainerWeighsNothing() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("c1", A, MAP, T0);

        placement.completed("c1", A, T0);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).isEmpty();
        assertThat(placement.decisions().proposalsDropped()).isZero();
    }

    @Test
    void completedContainerWeighsNothingThoughItsNodeStillReportsIt() {
        ingest.accept(A, heartbeat(1, running("c1", HALF_A_CPU), running("c2", Vectors.cpu(0.25))), T0);
        placement.accounts().load(A, T0);

        placement.completed("c1", A, T0);
        ingest.accept(A, heartbeat(2, running("c1", HALF_A_CPU), running("c2", Vectors.cpu(0.25))), T0.plusSeconds(1));
        placement.sweep(T0.plusSeconds(1));

        assertThat(placement.accounts().load(A, T0.plusSeconds(1)).orElseThrow().containers())
                .containsExactly(Vectors.cpu(0.25));
    }

    /** As while the plugin is being rolled out: whoever is kept from a measured node gets one of which nothing is known. */
    @Test
    void nobodyIsMatchedWhileFewNodesAreMeasured() {
        placement.refresh(PlaceSettings.from(Map.of("yarn.interference.place.mode", "on")::getOrDefault));

        placement.freeNodes().covered(new Coverage(89, 10, 1, Duration.ofSeconds(30)));

        assertThat(placement.freeNodes().mayMatch()).isFalse();
        assertThat(placement.freeNodes().mayMatch()).isFalse();

        placement.freeNodes().covered(new Coverage(90, 0, 10, Duration.ofSeconds(1)));

        assertThat(placement.freeNodes().mayMatch()).isTrue();
        assertThat(placement.freeNodes().mayMatch()).isTrue();
    }

    /** What YARN has lost track of may yet run. */
    @Test
    void containerThatIsReportedForTwoMinutesMoreWeighsAgain() {
        placement.completed("c1", A, T0);
        ingest.accept(A, heartbeat(1), T0);
        placement.completed("c1", A, T0);

        ingest.accept(A, heartbeat(2, running("c1", HALF_A_CPU)), T0.plusSeconds(119));

        assertThat(placement
                        .accounts()
                        .load(A, T0.plusSeconds(120))
                        .orElseThrow()
                        .containers())
                .isEmpty();
        assertThat(placement
                        .accounts()
                        .load(A, T0.plusSeconds(121))
                        .orElseThrow()
                        .containers())
                .containsExactly(HALF_A_CPU);
    }

    @Test
    void containerThatCompletesBeforeItsCommitIsHeardOfWeighsNothing() {
        ingest.accept(A, heartbeat(1), T0);
        placement.proposed("proposal-1", A, MAP, T0);

        placement.completed("c1", A, T0);
        placement.confirmed("proposal-1", "c1", A);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).isEmpty();
    }

    @Test
    void endedContainerWeighsNothing() {
        ingest.accept(A, heartbeat(1, ended("c1", Vectors.cpu(0.9))), T0);

        assertThat(placement.accounts().load(A, T0).orElseThrow().containers()).isEmpty();
    }

    @Test
    void containerThatIsNeverMeasuredWeighsForTwoMinutesOnly() {
        placement.proposed("c1", A, MAP, T0);
        ingest.accept(A, heartbeat(1), T0.plusSeconds(119));
        ingest.accept(B, heartbeat(1), T0.plusSeconds(119));

        assertThat(placement
                        .accounts()
                        .load(A, T0.plusSeconds(120))
                        .orElseThrow()
                        .containers())
                .containsExactly(HALF_A_CPU);
        assertThat(placement
                        .accounts()
                        .load(A, T0.plusSeconds(121))
                        .orElseThrow()
                        .containers())
                .isEmpty();
        assertThat(placement.accounts().unmeasured(A, T0.plusSeconds(121))).isZero();
    }

    @Test
    void forgottenNodeExpectsNothing() {
        placement.proposed("c1", A, MAP, T0);

        placement.forget(A);

        assertThat(placement.accounts().unmeasured(A, T0)).isZero();
    }

    @Test
    void committedPlacementIsRecordedWithItsReason() {
        Ranking ranking = placement.ranking().rank(MASTER, T0, List::of);

        placement.committed("c1", A, ranking, T0);

        assertThat(placement.decisions().newest(10)).singleElement().isEqualTo(new Decision(1, T0, "c1", A, ranking));
        assertThat(placement.decisions().counts())
                .containsEntry(Ranking.Reason.PARENT_AM_CONTAINER, 1L)
                .containsEntry(Ranking.Reason.RANKED, 0L);
    }

    @Test
    void refreshShortensWhatIsKept() {
        for (int i = 0; i < 8; i++) {
            placement.committed("c" + i, A, placement.ranking().rank(MASTER, T0, List::of), T0);
        }

        placement.refresh(
                new PlaceSettings(Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 2, 3, MatchSettings.OFF));
        placement.committed("newest", A, placement.ranking().rank(MASTER, T0, List::of), T0);

        assertThat(placement.decisions().newest(10))
                .extracting(Decision::container)
                .containsExactly("newest", "c7");
    }

    private List<NodeCandidate> candidates(Instant now, String... nodes) {
        return Stream.of(nodes)
                .map(node -> new NodeCandidate(
                        node, true, Locality.NO_PREFERENCE, placement.accounts().load(node, now)))
                .toList();
    }

    /** Three errors open the breaker. */
    private static PlaceSettings settings(Mode mode) {
        return new PlaceSettings(mode, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 3, MatchSettings.OFF);
    }

    private static final class BrokenFakePredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Prediction predict(Situation situation) {
            throw new StackOverflowError("the predictor is broken");
        }
    }
}
