package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every queue has the mode that the operator gave it. */
class QueueModesTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final TaskIdentity HEAVY = identity("heavy");
    private static final TaskIdentity LIGHT = identity("light");

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final ProfileRepository profiles = new ProfileRepository(1);

    QueueModesTest() {
        profiles.record(new TaskSample(HEAVY, Vectors.cpu(0.9), Duration.ofSeconds(10), T0));
        profiles.record(new TaskSample(LIGHT, Vectors.cpu(0.1), Duration.ofSeconds(10), T0));
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @CsvSource({"root.etl, ON", "root.etl.night, ON", "root.serving, OFF", "root.web, SHADOW", "'', SHADOW"})
    void queueWithoutAModeHasTheOneAboveAndThenTheOneOfAll(String queue, Mode expected) {
        Placement placement = placement("shadow", "root.etl=on,root.serving=off");

        assertThat(placement.gate().mode(queue)).isEqualTo(expected);
        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
    }

    @Test
    void breakerTurnsEveryOnToShadowAndNothingElse() {
        Placement placement = placement("off", "root.etl=on,root.web=shadow");

        placement.gate().failed(new IllegalStateException("the only error that is allowed"));

        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.SHADOW);
        assertThat(placement.gate().mode("root.web")).isEqualTo(Mode.SHADOW);
        assertThat(placement.gate().mode("root.serving")).isEqualTo(Mode.OFF);
        assertThat(placement.gate().anybodyIn(Mode.ON)).isFalse();
        assertThat(placement.gate().isOff()).isFalse();
    }

    @Test
    void pluginIsOffOnlyIfEveryQueueIs() {
        assertThat(placement("off", "").gate().isOff()).isTrue();
        assertThat(placement("off", "root.etl=off").gate().isOff()).isTrue();
        assertThat(placement("off", "root.etl=shadow").gate().isOff()).isFalse();
        assertThat(placement("on", "root.etl=off").gate().isOff()).isFalse();
    }

    @Test
    void requestOfAQueueThatIsOffIsLeftToTheParentWithoutLookingAtANodeAndNotRecorded() {
        Placement placement = placement("on", "root.off=off");

        Ranking ranking = placement.ranking().rank(request(LIGHT, "root.off"), T0, () -> {
            throw new AssertionError("the candidates were asked for");
        });
        placement.committed("c1", A, ranking, T0);

        assertThat(ranking.reorders()).isFalse();
        assertThat(placement.gate().health().errors()).isZero();
        assertThat(placement.decisions().newest(10)).isEmpty();
    }

    @Test
    void containerOfAQueueThatIsOffWeighsForTheOthers() {
        Placement placement = placement("on", "root.off=off");
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);

        placement.proposed("c1", A, request(HEAVY, "root.off"), T0);

        assertThat(placement
                        .ranking()
                        .rank(request(LIGHT, "root.on"), T0, () -> candidates(placement, A, B))
                        .verdicts())
                .extracting(Verdict::node)
                .containsExactly(B, A);
    }

    @Test
    void refreshChangesTheModeOfAQueue() {
        Placement placement = placement("on", "");

        placement.refresh(settings("on", "root.etl=off"));

        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.OFF);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void onlyRequestsOfQueuesThatAreOnAreDeclined(Mode mode) {
        Placement placement = placement("on", "root.mine=" + mode);

        boolean declined = declinesTheWorseNode(placement);

        assertThat(declined).isEqualTo(mode == Mode.ON);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void onlyForRequestsOfQueuesThatAreOnIsANodeKept(Mode mode) {
        Placement placement = placement("on", "root.others=" + mode);

        boolean declined = declinesTheWorseNode(placement);

        assertThat(declined).isEqualTo(mode == Mode.ON);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void requestOfAQueueThatIsOffIsMatchedWithNothingAndOfOneInShadowIsKnownToBe(Mode mode) {
        Placement placement = placement("on", "root.first=" + mode);

        assertThat(placement
                        .freeNodes()
                        .contender(request(HEAVY, "root.first"), T0)
                        .map(Matching.Contender::mode))
                .isEqualTo(Optional.of(mode).filter(any -> any != Mode.OFF));
        assertThat(placement.freeNodes().contender(request(HEAVY, "root.second"), T0))
                .isPresent();
    }

    /** Whatever the modes: every fitting node is in the order once, and only a queue that is on gets another order. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodysCandidatesShrinkAndWhoIsNotOnGetsTheParentsOrder(long seed) {
        Random random = new Random(seed);
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(8); i++) {
            nodes.add("node-%d:8041".formatted(i));
            ingest.accept(nodes.get(i), heartbeat(1, running("c" + i, Vectors.cpu(random.nextDouble()))), T0);
        }
        Mode[] modes = Mode.values();
        Mode all = modes[random.nextInt(modes.length)];
        Mode mine = modes[random.nextInt(modes.length)];
        Placement placement = placement(all.name(), "root.mine=" + mine);
        for (String queue : List.of("root.mine.too", "root.others")) {
            Mode expected = queue.equals("root.others") ? all : mine;

            Ranking ranking = placement
                    .ranking()
                    .rank(request(LIGHT, queue), T0, () -> candidates(placement, nodes.toArray(String[]::new)));

            assertThat(ranking.mode()).isEqualTo(expected);
            assertThat(ranking.reorders()).isEqualTo(expected == Mode.ON);
            if (expected != Mode.OFF) {
                assertThat(ranking.verdicts()).extracting(Verdict::node).containsExactlyInAnyOrderElementsOf(nodes);
            }
        }
    }

    /** What took too long is not used: nor by whoever is asked next in the same visit. */
    @Test
    void decisionThatTookTooLongIsHeardByNobody() {
        AtomicLong tick = new AtomicLong();
        AtomicLong taken = new AtomicLong();
        PlaceSettings limited = PlaceSettings.from(Map.of(
                "yarn.interference.place.mode", "on",
                "yarn.interference.place.time-share", "1",
                "yarn.interference.place.min-measured", "0")::getOrDefault);
        Placement placement = new Placement(
                ingest,
                profiles,
                new FakePredictor(),
                limited,
                container -> Optional.empty(),
                () -> tick.addAndGet(taken.get()));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.9))), T0);
        ingest.accept(B, heartbeat(1), T0);
        Request heavy = request(HEAVY, "root.mine");
        Request light = request(LIGHT, "root.others");
        Supplier<Set<Matching.Contender>> both = () -> contenders(placement, heavy, light);
        placement.freeNodes().offered(heavy, B, T0, new DecidedVisit(), both);
        DecidedVisit visited = new DecidedVisit();

        taken.set(Duration.ofMillis(2).toNanos());
        assertThat(placement.freeNodes().offered(heavy, A, T0, visited, both)).isEmpty();

        Matching.Contender second = placement.freeNodes().contender(heavy, T0).orElseThrow();
        assertThat(visited.knows(A, second)).isFalse();
    }

    /** Returns whether a heavy task is declined a busy node, after an idle one was offered to it and to a light one. */
    private static Set<Matching.Contender> contenders(Placement placement, Request... requests) {
        return Stream.of(requests)
                .flatMap(request -> placement.freeNodes().contender(request, T0).stream())
                .collect(Collectors.toSet());
    }

    private boolean declinesTheWorseNode(Placement placement) {
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.9))), T0);
        ingest.accept(B, heartbeat(1), T0);
        Request heavy = request(HEAVY, "root.mine");
        Request light = request(LIGHT, "root.others");
        placement.freeNodes().offered(heavy, B, T0, new DecidedVisit(), () -> contenders(placement, heavy, light));
        return placement
                .freeNodes()
                .offered(heavy, A, T0, new DecidedVisit(), () -> contenders(placement, heavy, light))
                .map(Matching.Choice::declines)
                .orElse(false);
    }

    private static List<NodeCandidate> candidates(Placement placement, String... nodes) {
        return Stream.of(nodes)
                .map(node -> new NodeCandidate(
                        node, true, Locality.NO_PREFERENCE, placement.accounts().load(node, T0)))
                .toList();
    }

    private Placement placement(String mode, String queueModes) {
        return new Placement(ingest, profiles, new FakePredictor(), settings(mode, queueModes));
    }

    /** One error opens the breaker. */
    private static PlaceSettings settings(String mode, String queueModes) {
        return new PlaceSettings(
                PlaceSettings.MODE.read((name, fallback) -> mode),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                100,
                1000,
                1,
                new MatchSettings(2, Duration.ofMinutes(5), 0),
                8,
                PlaceSettings.QUEUE_MODES.read((name, fallback) -> queueModes),
                ByQueue.none(),
                new TagCosts(1, 1.32),
                ByQueue.none(),
                new TimeLimits(Duration.ofMillis(1), 0.02));
    }

    private static Request request(TaskIdentity task, String queue) {
        return new Request("attempt of " + task.text(), "priority 20", task, false, queue, Wishes.NONE);
    }

    private static TaskIdentity identity(String name) {
        return TaskIdentity.of("TEST", name, "map", "default", Optional.of(name));
    }
}
