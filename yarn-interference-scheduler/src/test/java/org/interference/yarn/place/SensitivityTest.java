package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A slowdown counts as many times as the queue or the tag of who suffers it says. */
class SensitivityTest {
    private static final double ROUNDING = 1e-12;

    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final String SERVING = "root.serving=4";

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final Map<String, Occupant> inContainers = new HashMap<>();
    private final List<String> asked = new ArrayList<>();

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void whatTheNewcomerSuffersCountsAsOftenAsItsQueueSays() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Placement placement = placement(SERVING);

        Verdict once = verdict(placement, request("root.batch"), A);
        Verdict fourTimes = verdict(placement, request("root.serving.web"), A);

        // Either is a quarter slower beside the other, and gets a fifth less done.
        assertThat(once.cost()).isCloseTo(0.2 + 0.2, within(1e-9));
        assertThat(fourTimes.cost()).isCloseTo(4 * 0.2 + 0.2, within(1e-9));
        assertThat(fourTimes.ownSlowdown()).isEqualTo(once.ownSlowdown());
        assertThat(fourTimes.sensitivity()).isEqualTo(4);
        assertThat(fourTimes.explain()).contains("sensitivity 4.0");
        assertThat(once.explain()).doesNotContain("sensitivity");
    }

    @Test
    void localityCountsWithTheNewcomer() {
        Verdict far = new Ranker(settings(SERVING))
                .rank(
                        newcomer(
                                new TaskKind(
                                        0,
                                        Tasks.profile(Vectors.cpu(0.5), Duration.ofSeconds(10)),
                                        new FakePredictor()),
                                4),
                        List.of(new NodeCandidate(A, true, Locality.OFF_SWITCH, Optional.of(new NodeLoad(List.of())))))
                .get(0);

        assertThat(far.cost()).isCloseTo(4 * (1 - 1 / 1.2), within(1e-9));
    }

    @Test
    void whatANeighbourSuffersCountsAsOftenAsItsQueueSays() {
        inContainers.put("c1", new Occupant("attempt_9", "root.serving", Wishes.NONE, () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5)), running("stranger", Vectors.cpu(0.25))), T0);

        Verdict verdict = verdict(placement(SERVING), request("root.batch"), A);

        // Both were slower by an eighth beside each other, and are by three eighths and by a quarter.
        assertThat(verdict.neighboursLose())
                .isCloseTo(4 * (1 / 1.125 - 1 / 1.375) + (1 / 1.125 - 1 / 1.25), within(1e-9));
    }

    @Test
    void tagBeatsTheQueue() {
        inContainers.put("c1", new Occupant("attempt_9", "root.serving", sensitivity(2), () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Request tagged = new Request("attempt_1", "priority 20", Tasks.SORT, false, "root.serving", sensitivity(0.5));

        Verdict verdict = verdict(placement(SERVING), tagged, A);

        assertThat(verdict.cost()).isCloseTo(0.5 * 0.2 + 2 * 0.2, within(1e-9));
    }

    @Test
    void containerThatWasJustPlacedCountsAsOftenAsItsQueueSays() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(SERVING);

        placement.proposed("c1", A, request("root.serving"), T0);

        assertThat(verdict(placement, request("root.batch"), A).neighboursLose())
                .isCloseTo(4 * 0.2, within(1e-9));
    }

    @Test
    void nobodyIsAskedWhoIsInAContainerAsLongAsAllCountAlike() {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);

        verdict(placement(""), request("root.serving"), A);

        assertThat(asked).isEmpty();
    }

    @Test
    void nobodyIsAskedTwiceWhoIsInAContainerThatIsKnown() {
        inContainers.put("c1", new Occupant("attempt_9", "root.serving", Wishes.NONE, () -> null));
        Placement placement = placement(SERVING);

        for (int i = 0; i < 4; i++) {
            Instant now = T0.plusSeconds(i);
            ingest.accept(A, heartbeat(1 + i, running("c1", Vectors.cpu(0.2 * (1 + i)))), now);
            assertThat(placement.accounts().load(A, now)).isPresent();
        }

        assertThat(asked).containsExactly("c1");
    }

    @Test
    void firstApplicationThatTagsItselfChangesTheCostsOfNodesThatAreKnown() {
        inContainers.put("c1", new Occupant("attempt_9", "root.batch", sensitivity(4), () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Placement placement = placement("");
        double before = verdict(placement, request("root.batch"), A).neighboursLose();

        placement.proposed(
                "c2", B, new Request("attempt_2", "priority 20", Tasks.SORT, false, "root.batch", sensitivity(4)), T0);

        assertThat(verdict(placement, request("root.batch"), A).neighboursLose())
                .isCloseTo(4 * before, within(1e-9));
    }

    @Test
    void refreshChangesWhatIsKnown() {
        inContainers.put("c1", new Occupant("attempt_9", "root.serving", Wishes.NONE, () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Placement placement = placement(SERVING);
        placement.proposed("c2", A, request("root.serving"), T0);
        double before = verdict(placement, request("root.batch"), A).neighboursLose();

        placement.refresh(settings("root.serving=8"));

        assertThat(verdict(placement, request("root.batch"), A).neighboursLose())
                .isCloseTo(2 * before, within(1e-9));
    }

    @Test
    void nodesThatDifferOnlyInWhoSuffersAreTwo() {
        List<InterferenceVector> alike = List.of(Vectors.cpu(0.5));

        assertThat(new NodeLoad(alike, new double[] {1}, List.of()).isLike(new NodeLoad(alike)))
                .isTrue();
        assertThat(new NodeLoad(alike, new double[] {4}, List.of()).isLike(new NodeLoad(alike)))
                .isFalse();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whereEverybodyCountsOnceCostsAreWhatTheyWere(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> containers = Vectors.random(random, random.nextInt(5));
        double[] ones = containers.stream().mapToDouble(container -> 1).toArray();
        TaskKind kind = kind(random);

        NodeLoad.Cost plain = new NodeLoad(containers).cost(kind);
        NodeLoad.Cost weighted = new NodeLoad(containers, ones, List.of()).cost(kind);

        assertThat(weighted).isEqualTo(plain);
        Verdict verdict =
                new Verdict(A, Verdict.Reason.RANKED, plain.own(), plain.lost(), 0.1, 0, 1, 0, Optional.empty());
        assertThat(verdict.cost()).isEqualTo(1 - 1 / plain.own() + 0.1 + plain.lost());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neighbourThatCountsMoreNeverMakesItsNodeCheaper(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> containers = Vectors.random(random, 1 + random.nextInt(5));
        double[] weights = containers.stream()
                .mapToDouble(container -> 0.1 + random.nextDouble() * 10)
                .toArray();
        double[] more = weights.clone();
        more[random.nextInt(more.length)] *= 1 + random.nextDouble();
        TaskKind kind = kind(random);

        NodeLoad.Cost cost = new NodeLoad(containers, weights, List.of()).cost(kind);
        NodeLoad.Cost costMore = new NodeLoad(containers, more, List.of()).cost(kind);

        // Both are differences of sums, which are exact but for their last bits.
        assertThat(costMore.lost()).isGreaterThanOrEqualTo(cost.lost() - ROUNDING);
        assertThat(costMore.gain()).isLessThanOrEqualTo(cost.gain() + ROUNDING);
        assertThat(costMore.own()).isEqualTo(cost.own());
    }

    /** Whoever counts for how much: every fitting node is in the order once. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodysCandidatesShrink(long seed) {
        Random random = new Random(seed);
        List<NodeCandidate> candidates = new ArrayList<>();
        for (int i = 0; i < random.nextInt(10); i++) {
            List<InterferenceVector> containers = Vectors.random(random, random.nextInt(4));
            double[] weights = containers.stream()
                    .mapToDouble(container -> 0.1 + random.nextDouble() * 100)
                    .toArray();
            candidates.add(new NodeCandidate(
                    "node-" + i,
                    random.nextInt(4) > 0,
                    Locality.NO_PREFERENCE,
                    random.nextInt(4) == 0
                            ? Optional.empty()
                            : Optional.of(new NodeLoad(containers, weights, List.of()))));
        }

        List<Verdict> verdicts =
                new Ranker(settings(SERVING)).rank(newcomer(kind(random), 0.1 + random.nextDouble() * 100), candidates);

        assertThat(verdicts)
                .extracting(Verdict::node)
                .containsExactlyInAnyOrderElementsOf(candidates.stream()
                        .filter(NodeCandidate::fits)
                        .map(NodeCandidate::node)
                        .toList());
    }

    private static Newcomer newcomer(TaskKind kind, double weight) {
        return new Newcomer(Optional.of(kind), weight, Optional.empty());
    }

    private static TaskKind kind(Random random) {
        return new TaskKind(0, Tasks.profile(Vectors.random(random), Duration.ofSeconds(10)), new PriorPredictor());
    }

    private static Wishes sensitivity(double value) {
        return new Wishes(OptionalDouble.of(value), false, false, Set.of(), Set.of());
    }

    private static Request request(String queue) {
        return new Request("attempt_1", "priority 20", Tasks.SORT, false, queue, Wishes.NONE);
    }

    private static Verdict verdict(Placement placement, Request request, String... nodes) {
        return placement
                .ranking()
                .rank(request, T0, () -> Stream.of(nodes)
                        .map(node -> new NodeCandidate(
                                node,
                                true,
                                Locality.NO_PREFERENCE,
                                placement.accounts().load(node, T0)))
                        .toList())
                .verdicts()
                .get(0);
    }

    private Placement placement(String sensitivities) {
        return new Placement(
                ingest,
                Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10)),
                new FakePredictor(),
                settings(sensitivities),
                container -> {
                    asked.add(container);
                    return Optional.ofNullable(inContainers.get(container));
                },
                () -> 0);
    }

    private static PlaceSettings settings(String sensitivities) {
        Map<String, String> file = Map.of(
                "yarn.interference.place.tags",
                "root=100",
                "yarn.interference.place.mode",
                "on",
                "yarn.interference.place.queue-sensitivity",
                sensitivities);
        return PlaceSettings.from(file::getOrDefault);
    }
}
