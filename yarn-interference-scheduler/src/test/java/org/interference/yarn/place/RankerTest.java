package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.place.Verdict.Reason;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RankerTest {
    private static final PlaceSettings SETTINGS =
            new PlaceSettings(Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 100, MatchSettings.OFF);
    private static final List<Locality> LOCALITIES = List.of(Locality.values());
    /** Half of the CPU for ten seconds. */
    private static final TaskProfile TASK = Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(10));

    private final Judge ranker = new Judge(new FakePredictor(), SETTINGS);

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void leastContendedNodeComesFirst() {
        List<Verdict> verdicts =
                ranker.rank(TASK, List.of(loaded("busy", 0.8), loaded("quiet", 0.1), loaded("half", 0.4)));

        assertThat(nodes(verdicts)).containsExactly("quiet", "half", "busy");
        assertThat(verdicts).extracting(Verdict::reason).containsOnly(Reason.RANKED);
    }

    @Test
    void gainIsWhatTheNewcomerGetsDoneLessWhatEachNeighbourLoses() {
        Verdict verdict = ranker.rank(TASK, List.of(loaded("node", 0.2, 0.4))).get(0);

        assertThat(verdict.ownSlowdown()).isCloseTo(1 + 0.5 * 0.6, within(1e-12));
        // Before it came, either neighbour was slower by 0.2 times 0.4.
        double lost = 1 / 1.08 - 1 / (1 + 0.2 * 0.9) + 1 / 1.08 - 1 / (1 + 0.4 * 0.7);
        assertThat(verdict.neighboursLose()).isCloseTo(lost, within(1e-12));
        assertThat(verdict.localityCost()).isZero();
        assertThat(verdict.gain()).isCloseTo(1 / 1.3 - lost, within(1e-12));
        assertThat(verdict.cost()).isCloseTo(1 - verdict.gain(), within(1e-12));
    }

    @Test
    void emptyNodeCostsNothing() {
        Verdict verdict = ranker.rank(TASK, List.of(loaded("empty"))).get(0);

        assertThat(verdict).isEqualTo(new Verdict("empty", Reason.RANKED, 1, 0, 0, 0));
        assertThat(verdict.gain()).isEqualTo(1);
    }

    @Test
    void nodeThatSuffersLessWinsThoughTheNewcomerSuffersAlike() {
        SlowdownPredictor diskOnly = new DiskFakePredictor();
        TaskProfile task = Tasks.profile(Vectors.of(Signal.BLK, 0.5), Duration.ofSeconds(10));

        List<Verdict> verdicts = new Judge(diskOnly, SETTINGS)
                .rank(
                        task,
                        List.of(
                                holding("two that suffer", Vectors.of(Signal.BLK, 0.2), Vectors.of(Signal.BLK, 0.2)),
                                holding("one that suffers", Vectors.of(Signal.BLK, 0.4))));

        assertThat(verdicts).extracting(Verdict::ownSlowdown).containsOnly(1.0);
        assertThat(nodes(verdicts)).containsExactly("one that suffers", "two that suffer");
    }

    @Test
    void neighbourOfWhomNothingCanBePredictedLosesNothing() {
        SlowdownPredictor diskOnly = new DiskFakePredictor();
        TaskProfile task = Tasks.profile(Vectors.of(Signal.BLK, 0.5), Duration.ofSeconds(10));

        Verdict verdict = new Judge(diskOnly, SETTINGS)
                .rank(task, List.of(holding("node", Vectors.cpu(0.9))))
                .get(0);

        assertThat(verdict.reason()).isEqualTo(Reason.RANKED);
        assertThat(verdict.neighboursLose()).isZero();
    }

    @Test
    void equalCostsGoToTheLowerPressureOnWhatTheNewcomerUses() {
        Judge sameForAll = new Judge(new SameForAllFakePredictor(), SETTINGS);

        List<Verdict> verdicts = sameForAll.rank(TASK, List.of(loaded("upper half", 0.95), loaded("lower half", 0.55)));

        assertThat(verdicts.get(0).cost()).isEqualTo(verdicts.get(1).cost());
        assertThat(nodes(verdicts)).containsExactly("lower half", "upper half");
    }

    @Test
    void pressureOnWhatTheNewcomerDoesNotUseBreaksNoTie() {
        List<Verdict> verdicts = ranker.rank(
                TASK,
                List.of(
                        holding("busy disk", vector(Signal.CPU, 0.2, Signal.BLK, 0.9)),
                        holding("idle disk", vector(Signal.CPU, 0.2, Signal.BLK, 0.1))));

        assertThat(nodes(verdicts)).containsExactly("busy disk", "idle disk");
    }

    @Test
    void pressureOnWhatTheNewcomerUsesAtLevelZeroBreaksNoTie() {
        TaskProfile withIdleDisk = Tasks.profile(vector(Signal.CPU, 0.5, Signal.BLK, 0), Duration.ofSeconds(10));

        List<Verdict> verdicts = ranker.rank(
                withIdleDisk,
                List.of(
                        holding("busy disk", vector(Signal.CPU, 0.2, Signal.BLK, 0.9)),
                        holding("idle disk", vector(Signal.CPU, 0.2, Signal.BLK, 0.1))));

        assertThat(nodes(verdicts)).containsExactly("busy disk", "idle disk");
    }

    @Test
    void equalNodesKeepTheParentsOrder() {
        List<Verdict> verdicts = ranker.rank(TASK, List.of(loaded("c", 0.2), loaded("a", 0.2), loaded("b", 0.2)));

        assertThat(nodes(verdicts)).containsExactly("c", "a", "b");
    }

    @Test
    void nodeWithoutASampleKeepsItsPlaceInTheParentsOrder() {
        List<Verdict> verdicts =
                ranker.rank(TASK, List.of(loaded("busy", 0.8), withoutSample("blind"), loaded("quiet", 0.1)));

        assertThat(nodes(verdicts)).containsExactly("quiet", "blind", "busy");
        assertThat(verdicts.get(1).reason()).isEqualTo(Reason.NEUTRAL_NO_SAMPLE);
    }

    @Test
    void nodeOfWhichThePredictorKnowsNothingKeepsItsPlaceInTheParentsOrder() {
        NodeCandidate riddle = holding("riddle", Vectors.of(Signal.MBW, 0.5));

        List<Verdict> verdicts = ranker.rank(TASK, List.of(riddle, loaded("busy", 0.8), loaded("quiet", 0.1)));

        assertThat(nodes(verdicts)).containsExactly("riddle", "quiet", "busy");
        assertThat(verdicts.get(0).reason()).isEqualTo(Reason.NEUTRAL_UNKNOWN);
    }

    @Test
    void shortTaskStaysWithItsDataDespiteALittleContention() {
        List<Verdict> verdicts = ranker.rank(
                TASK,
                List.of(
                        at(Locality.OFF_SWITCH, loaded("far and empty")),
                        at(Locality.NODE_LOCAL, loaded("near", 0.1))));

        assertThat(nodes(verdicts)).containsExactly("near", "far and empty");
        assertThat(verdicts.get(1).localityCost()).isCloseTo(1 - 1 / 1.2, within(1e-12));
    }

    @Test
    void longTaskLeavesItsDataForALittleLessContention() {
        TaskProfile longTask = Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(1000));

        List<Verdict> verdicts = ranker.rank(
                longTask,
                List.of(
                        at(Locality.NODE_LOCAL, loaded("near", 0.1)),
                        at(Locality.OFF_SWITCH, loaded("far and empty"))));

        assertThat(nodes(verdicts)).containsExactly("far and empty", "near");
    }

    @Test
    void rackCostsLessThanOffSwitchAndNoPreferenceNothing() {
        List<Verdict> verdicts = ranker.rank(
                TASK,
                List.of(
                        at(Locality.OFF_SWITCH, loaded("off switch")),
                        at(Locality.RACK_LOCAL, loaded("rack")),
                        at(Locality.NO_PREFERENCE, loaded("anywhere"))));

        assertThat(nodes(verdicts)).containsExactly("anywhere", "rack", "off switch");
        assertThat(verdicts).extracting(Verdict::localityCost).containsExactly(0.0, 1 - 1 / 1.1, 1 - 1 / 1.2);
    }

    @Test
    void localityOfAVeryShortTaskCostsNoMoreThanOfOneOfASecond() {
        TaskProfile blink = Tasks.profile(Vectors.cpu(0.5), Duration.ofMillis(1));

        Verdict verdict = ranker.rank(blink, List.of(at(Locality.OFF_SWITCH, loaded("far"))))
                .get(0);

        assertThat(verdict.localityCost()).isEqualTo(1 - 1 / 3.0);
    }

    /** As of a service, which is known by samples of ten minutes each. */
    @Test
    void localityOfATaskThatNobodyHasSeenEndCostsLittle() {
        TaskProfile service = TaskProfile.empty(Tasks.SORT.keys().get(0))
                .with(new TaskSample(
                        Tasks.SORT,
                        Vectors.cpu(0.5),
                        InterferenceVector.EMPTY,
                        Optional.empty(),
                        T0,
                        Optional.empty(),
                        Company.UNKNOWN));

        List<Verdict> verdicts = ranker.rank(
                service,
                List.of(
                        at(Locality.NODE_LOCAL, loaded("near", 0.1)),
                        at(Locality.OFF_SWITCH, loaded("far and empty"))));

        assertThat(nodes(verdicts)).containsExactly("far and empty", "near");
        assertThat(verdicts.get(0).localityCost()).isCloseTo(1 - 1 / (1 + 2 / 600.0), within(1e-12));
    }

    @Test
    void nodeThatDoesNotFitGetsNoVerdict() {
        NodeCandidate full =
                new NodeCandidate("full", false, Locality.NO_PREFERENCE, Optional.of(new NodeLoad(List.of())));

        List<Verdict> verdicts = ranker.rank(TASK, List.of(loaded("busy", 0.8), full));

        assertThat(nodes(verdicts)).containsExactly("busy");
    }

    @Test
    void nothingThatFitsIsNoVerdict() {
        NodeCandidate full =
                new NodeCandidate("full", false, Locality.NO_PREFERENCE, Optional.of(new NodeLoad(List.of())));

        assertThat(ranker.rank(TASK, List.of(full))).isEmpty();
        assertThat(ranker.rank(TASK, List.of())).isEmpty();
    }

    @Test
    void nodesBeyondTheMaximumKeepTheParentsOrder() {
        Judge twoAtMost = new Judge(
                new FakePredictor(),
                new PlaceSettings(
                        Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 2, 1000, 100, MatchSettings.OFF));

        List<Verdict> verdicts =
                twoAtMost.rank(TASK, List.of(loaded("a", 0.9), loaded("b", 0.5), loaded("c", 0.4), loaded("d", 0.0)));

        assertThat(nodes(verdicts)).containsExactly("b", "a", "c", "d");
        assertThat(verdicts)
                .extracting(Verdict::reason)
                .containsExactly(Reason.RANKED, Reason.RANKED, Reason.NEUTRAL_NOT_SCORED, Reason.NEUTRAL_NOT_SCORED);
    }

    @Test
    void nodesThatCannotBeScoredDoNotUseUpTheMaximum() {
        Judge twoAtMost = new Judge(
                new FakePredictor(),
                new PlaceSettings(
                        Mode.ON, Duration.ofSeconds(1), Duration.ofSeconds(2), 2, 1000, 100, MatchSettings.OFF));
        NodeCandidate full =
                new NodeCandidate("full", false, Locality.NO_PREFERENCE, Optional.of(new NodeLoad(List.of())));

        List<Verdict> verdicts =
                twoAtMost.rank(TASK, List.of(withoutSample("blind"), full, loaded("busy", 0.9), loaded("quiet", 0.1)));

        assertThat(nodes(verdicts)).containsExactly("blind", "quiet", "busy");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void verdictsAreAPermutationOfTheFittingCandidates(long seed) {
        Random random = new Random(seed);
        List<NodeCandidate> candidates = randomCandidates(random);

        List<Verdict> verdicts = randomRanker(random).rank(randomTask(random), candidates);

        assertThat(nodes(verdicts))
                .containsExactlyInAnyOrderElementsOf(candidates.stream()
                        .filter(NodeCandidate::fits)
                        .map(NodeCandidate::node)
                        .toList());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void knownNodesAreSortedByCostAndTheOthersStayWhereTheyWere(long seed) {
        Random random = new Random(seed);
        List<NodeCandidate> candidates = randomCandidates(random);
        List<String> parentsOrder = candidates.stream()
                .filter(NodeCandidate::fits)
                .map(NodeCandidate::node)
                .toList();

        List<Verdict> verdicts = randomRanker(random).rank(randomTask(random), candidates);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.reason() == Reason.RANKED)
                .isSortedAccordingTo(Comparator.comparingDouble(Verdict::cost));
        for (int i = 0; i < verdicts.size(); i++) {
            if (verdicts.get(i).reason() != Reason.RANKED) {
                assertThat(verdicts.get(i).node()).isEqualTo(parentsOrder.get(i));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noCostIsNegative(long seed) {
        Random random = new Random(seed);
        List<NodeCandidate> candidates = randomCandidates(random);

        List<Verdict> verdicts = randomRanker(random).rank(randomTask(random), candidates);

        assertThat(verdicts)
                .allSatisfy(verdict -> assertThat(verdict.cost()).isFinite().isNotNegative());
    }

    /** One rule for both questions: which of several nodes, and who of several tasks. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void firstNodeIsWhereTheTaskWouldBidMost(long seed) {
        Random random = new Random(seed);
        TaskKind kind = new TaskKind(0, randomTask(random), new PriorPredictor());
        List<NodeCandidate> candidates = new ArrayList<>();
        Map<String, Double> bids = new HashMap<>();
        for (int i = 0; i < 1 + random.nextInt(20); i++) {
            List<InterferenceVector> containers = Vectors.random(random, random.nextInt(4));
            double[] weights = containers.stream()
                    .mapToDouble(container -> 0.1 + 10 * random.nextDouble())
                    .toArray();
            NodeLoad load = new NodeLoad(containers, weights, List.of());
            String node = "node-" + i;
            candidates.add(new NodeCandidate(node, true, Locality.NO_PREFERENCE, Optional.of(load)));
            new Matching()
                    .choose(
                            List.of(new Matching.Contender(kind, 1)),
                            who -> Optional.empty(),
                            new Matching.FreeNode(node, load, true),
                            MatchSettings.OFF,
                            T0)
                    .offered()
                    .ifPresent(offered ->
                            bids.put(node, offered.contenders().get(0).bid().gain()));
        }

        List<Verdict> ranked = new Ranker(SETTINGS)
                .rank(Newcomer.of(kind), candidates).stream()
                        .filter(verdict -> verdict.reason() == Reason.RANKED)
                        .toList();

        assertThat(nodes(ranked)).containsExactlyInAnyOrderElementsOf(bids.keySet());
        assertThat(ranked)
                .allSatisfy(verdict -> assertThat(verdict.gain()).isCloseTo(bids.get(verdict.node()), within(1e-9)));
        if (!ranked.isEmpty()) {
            assertThat(bids.get(ranked.get(0).node()))
                    .isCloseTo(Collections.max(bids.values()), within(Ranker.RESOLUTION));
        }
    }

    /** A ranker that is asked about one profile at a time. */
    private record Judge(SlowdownPredictor predictor, PlaceSettings settings) {
        List<Verdict> rank(TaskProfile profile, List<NodeCandidate> candidates) {
            return new Ranker(settings).rank(Newcomer.of(new TaskKind(0, profile, predictor)), candidates);
        }
    }

    private static Judge randomRanker(Random random) {
        int maxCandidates = 2 + random.nextInt(20);
        return new Judge(
                new PriorPredictor(),
                new PlaceSettings(
                        Mode.ON,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        maxCandidates,
                        1000,
                        100,
                        MatchSettings.OFF));
    }

    private static TaskProfile randomTask(Random random) {
        return Tasks.profile(Vectors.random(random), Duration.ofMillis(random.nextInt(100_000)));
    }

    private static List<NodeCandidate> randomCandidates(Random random) {
        List<NodeCandidate> candidates = new ArrayList<>();
        int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            Locality locality = LOCALITIES.get(random.nextInt(LOCALITIES.size()));
            Optional<NodeLoad> load = random.nextInt(4) == 0
                    ? Optional.empty()
                    : Optional.of(new NodeLoad(Vectors.random(random, random.nextInt(4))));
            candidates.add(new NodeCandidate("node-" + i, random.nextInt(4) > 0, locality, load));
        }
        return candidates;
    }

    private static List<String> nodes(List<Verdict> verdicts) {
        return verdicts.stream().map(Verdict::node).toList();
    }

    /** A fitting node with one container for each of {@code cpu}. */
    private static NodeCandidate loaded(String node, double... cpu) {
        return holding(node, Arrays.stream(cpu).mapToObj(Vectors::cpu).toArray(InterferenceVector[]::new));
    }

    private static NodeCandidate holding(String node, InterferenceVector... containers) {
        return new NodeCandidate(node, true, Locality.NO_PREFERENCE, Optional.of(new NodeLoad(List.of(containers))));
    }

    private static NodeCandidate withoutSample(String node) {
        return new NodeCandidate(node, true, Locality.NO_PREFERENCE, Optional.empty());
    }

    private static NodeCandidate at(Locality locality, NodeCandidate candidate) {
        return new NodeCandidate(candidate.node(), candidate.fits(), locality, candidate.load());
    }

    private static InterferenceVector vector(Signal one, double level, Signal other, double otherLevel) {
        return new InterferenceVector(Map.of(one, level, other, otherLevel));
    }

    /** From half of the disk in use by others on, whoever uses it is slowed down by a tenth; of others nothing is known. */
    private static final class DiskFakePredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "disk";
        }

        @Override
        public Prediction predict(Situation situation) {
            if (situation.own(Signal.BLK).isEmpty()) {
                return new Prediction.Unknown("no disk");
            }
            double others = situation.beside(Signal.BLK);
            return new Prediction.Slowdown(others >= 0.5 ? 1.1 : 1);
        }
    }

    /** Sees no difference between any two nodes. */
    private static final class SameForAllFakePredictor implements SlowdownPredictor {
        @Override
        public String name() {
            return "same for all";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(1.5);
        }
    }
}
