package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications say by tags whom their containers are rather not beside. It costs, and is never refused. */
class TagsTest {
    private static final String A = "node-a:8041";
    private static final String B = "node-b:8041";
    private static final String C = "node-c:8041";
    private static final List<String> TAGS = List.of(
            "ifc-spread", "ifc-exclusive", "ifc-avoid:nightly", "ifc-affinity:shop", "ifc-sensitivity:4", "team-a");

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final ProfileRepository profiles = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
    private final Map<String, Occupant> inContainers = new HashMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @Test
    void spreadCostsForEachContainerOfItsOwn() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(profiles, 1);
        Request spread = request("app_1", "ifc-spread");
        placement.proposed("c1", A, spread, T0);
        placement.proposed("c2", A, spread, T0);
        placement.proposed("c3", A, request("other_1"), T0);

        Verdict verdict = rank(placement, spread, A).verdicts().get(0);

        assertThat(verdict.tagPenalty()).isEqualTo(2);
        assertThat(verdict.cost()).isEqualTo(verdict.interference() + 2);
        assertThat(verdict.explain()).contains(", tags cost 2.000");
    }

    @Test
    void exclusiveCostsForEachContainerOfOthersAlsoOfThoseThatNobodyKnows() {
        ingest.accept(A, heartbeat(1, running("stranger", Vectors.cpu(0.1)), unmeasured("blind")), T0);
        Placement placement = placement(profiles, 1);
        Request exclusive = request("app_1", "ifc-exclusive");
        placement.proposed("c1", A, exclusive, T0);
        placement.proposed("c2", A, request("other_1"), T0);

        assertThat(rank(placement, exclusive, A).verdicts().get(0).tagPenalty()).isEqualTo(3);
    }

    @Test
    void besideAnExclusiveOneEverybodyElsePays() {
        inContainers.put("c1", new Occupant("app_1", "root.a", Wishes.of(Set.of("ifc-exclusive")), () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.1))), T0);
        Placement placement = placement(profiles, 1);
        placement.proposed("c2", B, request("app_1", "ifc-exclusive"), T0);

        assertThat(rank(placement, request("other_1"), A).verdicts().get(0).tagPenalty())
                .isEqualTo(1);
        assertThat(rank(placement, request("app_1", "ifc-exclusive"), A)
                        .verdicts()
                        .get(0)
                        .tagPenalty())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nightly", "ifc:/nightly/map", "spark/etl/map/root.Batch", "root.batch", "spark/map"})
    void avoidCostsForEachContainerThatIsCalledSo(String key) {
        TaskIdentity nightly = TaskIdentity.of("SPARK", "etl", "map", "root.Batch", Optional.of("nightly"));
        inContainers.put("c1", new Occupant("app_1", "root.Batch", Wishes.NONE, () -> nightly));
        inContainers.put("c2", new Occupant("app_2", "root.b", Wishes.NONE, () -> Tasks.SORT));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.1)), running("c2", Vectors.cpu(0.1))), T0);

        Ranking ranking = rank(placement(profiles, 1), request("other_1", "ifc-avoid:" + key), A);

        assertThat(ranking.verdicts().get(0).tagPenalty()).isEqualTo(1);
    }

    /** By default nobody is heard: no tenant weighs against another because of what it says of itself. */
    @ParameterizedTest
    @ValueSource(strings = {"", "root.other=4", "root.q.below=4", "root=4,root.q=0"})
    void tagsOfQueuesThatAreNotHeardSayNothing(String heard) {
        inContainers.put("c1", new Occupant("app_1", "root.q", Wishes.of(Set.of("ifc-exclusive")), () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.1))), T0);
        Placement placement = placement(profiles, 1, heard);
        Request all = request("app_2", TAGS.toArray(String[]::new));
        placement.proposed("c2", A, all, T0);

        Ranking ranking = rank(placement, all, A);

        assertThat(ranking.verdicts().get(0).tagPenalty()).isZero();
        assertThat(ranking.verdicts().get(0).sensitivity()).isEqualTo(1);
        assertThat(ranking.request().wishes()).isEqualTo(Wishes.NONE);
    }

    @Test
    void sensitivityIsAtMostWhatItsQueueMay() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(profiles, 1, "root=2,root.q=3");

        for (String tag : List.of("ifc-sensitivity:0.5", "ifc-sensitivity:3", "ifc-sensitivity:100")) {
            assertThat(rank(placement, request("app_1", tag), A)
                            .verdicts()
                            .get(0)
                            .sensitivity())
                    .isEqualTo(tag.endsWith("0.5") ? 0.5 : 3);
        }
    }

    @Test
    void neighboursCountForNoMoreThanTheirQueueMay() {
        inContainers.put("c1", new Occupant("app_9", "root.q", Wishes.of(Set.of("ifc-sensitivity:100")), () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Request tagged = request("app_1", "ifc-spread");

        double once = rank(placement(profiles, 1, "root=1"), tagged, A)
                .verdicts()
                .get(0)
                .neighboursLose();
        double thrice = rank(placement(profiles, 1, "root=3"), tagged, A)
                .verdicts()
                .get(0)
                .neighboursLose();

        assertThat(thrice).isCloseTo(3 * once, within(1e-9)).isPositive();
    }

    /** One application with one tag must not cost a look-up for each container for ever. */
    @Test
    void whoIsInAContainerIsAskedOnlyWhileAnApplicationWishesForSomething() {
        List<String> asked = new ArrayList<>();
        Placement placement = new Placement(
                ingest,
                profiles,
                new FakePredictor(),
                settings(1, "root=100"),
                container -> {
                    asked.add(container);
                    return Optional.empty();
                },
                () -> 0);
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.1))), T0);
        rank(placement, request("app_1", "ifc-spread"), A);
        assertThat(asked).isNotEmpty();

        placement.accounts().forgetWishes(() -> true);
        asked.clear();
        ingest.accept(A, heartbeat(2, running("c2", Vectors.cpu(0.1))), T0);
        rank(placement, request("app_2"), A);
        assertThat(asked).containsExactly("c2");

        placement.accounts().forgetWishes(() -> false);
        asked.clear();
        ingest.accept(A, heartbeat(3, running("c3", Vectors.cpu(0.1))), T0);
        rank(placement, request("app_2"), A);
        assertThat(asked).isEmpty();

        rank(placement, request("app_3", "ifc-spread"), A);
        assertThat(asked).containsExactly("c3");
    }

    @Test
    void aBreachCostsThePenaltyAndNothingIfThatIsZero() {
        ingest.accept(A, heartbeat(1), T0);
        Request spread = request("app_1", "ifc-spread");
        for (double penalty : List.of(0.0, 0.25, 1000.0)) {
            Placement placement = placement(profiles, penalty);
            placement.proposed("c1", A, spread, T0);

            assertThat(rank(placement, spread, A).verdicts().get(0).tagPenalty())
                    .isEqualTo(penalty);
        }
    }

    @Test
    void penaltyIsWeighedAgainstInterference() {
        // Costs 0.40, and 0.69.
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1, running("busy", Vectors.cpu(0.9)), running("too", Vectors.cpu(0.9))), T0);
        Request spread = request("app_1", "ifc-spread");
        for (double penalty : List.of(0.25, 0.35)) {
            Placement placement = placement(profiles, penalty);
            placement.proposed("c1", A, spread, T0);

            assertThat(first(rank(placement, spread, A, B))).isEqualTo(penalty == 0.35 ? B : A);
        }
    }

    @Test
    void taskWithoutAProfileIsOrderedByItsTagsAlone() {
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);
        ingest.accept(C, heartbeat(1), T0);
        Placement placement = placement(new ProfileRepository(1), 1);
        Request spread = request("app_1", "ifc-spread");
        placement.proposed("c1", A, spread, T0);

        Ranking ranking = rank(placement, spread, A, B, C);
        placement.committed("c2", B, ranking, T0);

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.RANKED_BY_TAGS);
        assertThat(ranking.reorders()).isTrue();
        assertThat(ranking.verdicts()).extracting(Verdict::node).containsExactly(B, C, A);
        assertThat(placement.decisions().newest(1).get(0).explain())
                .isEqualTo("node-b:8041, number 1 of 3: node-b:8041: NEUTRAL_UNKNOWN; node-c:8041: NEUTRAL_UNKNOWN;"
                        + " node-a:8041: NEUTRAL_UNKNOWN, tags cost 1.000");
    }

    @Test
    void taskWithoutAProfileIsLeftToTheParentWhereNothingIsBroken() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(new ProfileRepository(1), 1);

        assertThat(rank(placement, request("app_1", "ifc-spread"), A).reason())
                .isEqualTo(Ranking.Reason.PARENT_NO_PROFILE);
    }

    @Test
    void nodeWhoseCostIsNotKnownMovesBehindForABreachOnly() {
        // Costs 0.18; unknown; costs 0.10.
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.2))), T0);
        ingest.accept(B, heartbeat(1, running("c2", Vectors.of(Signal.MBW, 0.5))), T0);
        ingest.accept(C, heartbeat(1, running("c3", Vectors.cpu(0.1))), T0);
        Placement placement = placement(profiles, 1);
        inContainers.put("c2", new Occupant("app_1", "root", Wishes.of(Set.of("ifc-spread")), () -> null));

        assertThat(rank(placement, request("other_1"), A, B, C).verdicts())
                .extracting(Verdict::node)
                .containsExactly(C, B, A);
        assertThat(rank(placement, request("app_1", "ifc-spread"), A, B, C).verdicts())
                .extracting(Verdict::node)
                .containsExactly(C, A, B);
    }

    @Test
    void thoseWhoTalkArePlacedTogetherUnlessItCostsMoreThanTheirTalk() {
        inContainers.put("c1", new Occupant("app_2", "root", Wishes.of(Set.of("ifc-affinity:shop")), () -> null));
        ingest.accept(A, heartbeat(1), T0);
        for (int tenths : new int[] {1, 9}) {
            ingest.accept(B, heartbeat(tenths, running("c1", Vectors.cpu(tenths / 10.0))), T0);

            Ranking ranking = rank(placement(profiles, 1), request("app_1", "ifc-affinity:shop"), A, B);

            assertThat(first(ranking)).isEqualTo(tenths == 1 ? B : A);
        }
    }

    @Test
    void slowdownIsMultipliedOnceForEachGroupThatIsNotThere() {
        ingest.accept(A, heartbeat(1, running("busy", Vectors.cpu(0.5))), T0);
        Placement placement = placement(profiles, 1);
        placement.proposed("c1", A, request("app_2", "ifc-affinity:shop"), T0);

        Verdict verdict = rank(
                        placement, request("app_1", "ifc-affinity:shop", "ifc-affinity:bank", "ifc-affinity:mill"), A)
                .verdicts()
                .get(0);

        // Beside 0.5 and 0.5 it is one and a half times as slow; that times 1.32 for each of two groups.
        assertThat(verdict.ownSlowdown()).isCloseTo(1.5, within(1e-9));
        assertThat(verdict.tagPenalty()).isCloseTo(1 / 1.5 - 1 / (1.5 * 1.32 * 1.32), within(1e-9));
    }

    /** What it loses alone by talking to somebody elsewhere, 0.24, four times. */
    @Test
    void talkCountsAsOftenAsTheSlowdownOfWhoeverTalks() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(profiles, 1);

        Verdict verdict = rank(placement, request("app_1", "ifc-affinity:shop", "ifc-sensitivity:4"), A)
                .verdicts()
                .get(0);

        assertThat(verdict.tagPenalty()).isCloseTo(4 * (1 - 1 / 1.32), within(1e-9));
    }

    @Test
    void thoseOfOneKindWhoWishForSomethingAreToldApart() {
        Placement placement = placement(profiles, 1);
        Request choosy = request("app_1", "ifc-spread");

        assertThat(contender(placement, choosy))
                .isEqualTo(contender(placement, choosy))
                .isNotEqualTo(contender(placement, request("app_2", "ifc-spread")))
                .isNotEqualTo(contender(placement, request("app_2")));
    }

    /** Else one application with a tag would leave no place for other kinds among the few that are compared. */
    @Test
    void thoseOfOneKindWhoWishForNothingAreAlikeThoughSomebodyWishes() {
        Placement placement = placement(profiles, 1);
        Optional<Matching.Contender> choosy = contender(placement, request("app_3", "ifc-spread"));

        Optional<Matching.Contender> one = contender(placement, request("app_1"));

        assertThat(one.orElseThrow().applicant()).isPresent();
        assertThat(one).isEqualTo(contender(placement, request("app_2")));
        assertThat(one.map(Matching.Contender::ofAnybody)).isEqualTo(choosy.map(Matching.Contender::ofAnybody));
    }

    /** As the FairScheduler asks, and before anybody has been served. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void freeNodeGoesToWhoeverHasNoWishThatItBreaks(double penalty) {
        inContainers.put("c1", new Occupant("third_1", "root.q", Wishes.NONE, () -> null));
        ingest.accept(A, heartbeat(1, running("c1", Vectors.cpu(0.5))), T0);
        Placement placement = placement(profiles, penalty);
        List<Request> waiting = List.of(request("app_1", "ifc-exclusive"), request("other_1"));
        List<Matching.Contender> contenders = waiting.stream()
                .map(request -> contender(placement, request).orElseThrow())
                .toList();

        Matching.Choice choice =
                placement.freeNodes().choose(contenders, who -> Optional.of(waiting.get(who)), A, true, T0);

        assertThat(choice.taken()).hasValue(penalty == 0 ? 0 : 1);
    }

    @Test
    void tagsThatAreNotHeardTellNobodyApart() {
        Placement placement = placement(profiles, 1, "");

        assertThat(contender(placement, request("app_1", "ifc-spread")))
                .isEqualTo(contender(placement, request("app_2", "ifc-exclusive")))
                .hasValueSatisfying(
                        contender -> assertThat(contender.applicant()).isEmpty());
    }

    @Test
    void nodeWithoutASampleIsNotTakenForOneWhereSomebodyTalks() {
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);
        Placement placement = placement(new ProfileRepository(1), 1);
        Request talks = request("app_1", "ifc-affinity:shop");
        placement.proposed("c1", B, talks, T0);

        assertThat(rank(placement, talks, C, A, B).verdicts())
                .extracting(Verdict::node)
                .containsExactly(B, C, A);
    }

    @Test
    void orderStaysWhereNobodyIsYetWhomOneTalksTo() {
        ingest.accept(A, heartbeat(1), T0);
        ingest.accept(B, heartbeat(1), T0);
        Placement placement = placement(profiles, 1);

        assertThat(rank(placement, request("app_1", "ifc-affinity:shop"), B, A).verdicts())
                .extracting(Verdict::node)
                .containsExactly(B, A);
    }

    @Test
    void applicationMasterIsLeftToTheParentWhateverTheTags() {
        ingest.accept(A, heartbeat(1), T0);
        Placement placement = placement(profiles, 1);
        placement.proposed("c1", A, request("app_1", TAGS.toArray(String[]::new)), T0);

        Ranking ranking = placement
                .ranking()
                .rank(request("app_1", TAGS.toArray(String[]::new)).asMaster(), T0, () -> {
                    throw new AssertionError("the candidates were asked for");
                });

        assertThat(ranking.reason()).isEqualTo(Ranking.Reason.PARENT_AM_CONTAINER);
        assertThat(ranking.reorders()).isFalse();
    }

    /** With a profile and without, and whether containers are measured meanwhile or not. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void spreadOverEqualNodesPutsOneContainerOnEach(long seed) {
        Random random = new Random(seed);
        int count = 2 + random.nextInt(9);
        List<String> nodes = new ArrayList<>();
        Map<String, List<ContainerReport>> reports = new HashMap<>();
        for (int i = 0; i < count; i++) {
            nodes.add("node-%d:8041".formatted(i));
            ingest.accept(nodes.get(i), heartbeat(1), T0);
        }
        boolean profile = random.nextBoolean();
        Placement placement = placement(profile ? profiles : new ProfileRepository(1), 1);
        Request spread = request("app_1", "ifc-spread");
        Set<String> used = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Ranking ranking = rank(placement, spread, nodes.toArray(String[]::new));
            String node = ranking.reorders() ? first(ranking) : nodes.get(0);
            used.add(node);
            String container = "c" + i;
            placement.proposed(container, node, spread, T0);
            if (random.nextBoolean()) {
                inContainers.put(
                        container, new Occupant(spread.attempt(), spread.queue(), spread.wishes(), spread::task));
                reports.computeIfAbsent(node, none -> new ArrayList<>())
                        .add(random.nextBoolean() ? running(container, Vectors.cpu(0.1)) : unmeasured(container));
                ingest.accept(node, heartbeat(2, reports.get(node).toArray(ContainerReport[]::new)), T0);
            }
        }

        assertThat(used).containsExactlyInAnyOrderElementsOf(nodes);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void exclusivePrefersAnEmptyNodeWhereThereIsOne(long seed) {
        Random random = new Random(seed);
        int count = 2 + random.nextInt(9);
        int empty = random.nextInt(count);
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add("node-%d:8041".formatted(i));
            ContainerReport[] containers = i == empty ? new ContainerReport[0] : randomContainers(random, i);
            ingest.accept(nodes.get(i), heartbeat(1, containers), T0);
        }
        Placement placement = placement(random.nextBoolean() ? profiles : new ProfileRepository(1), 1);

        Ranking ranking = rank(placement, request("app_1", "ifc-exclusive"), nodes.toArray(String[]::new));

        assertThat(first(ranking)).isEqualTo(nodes.get(empty));
    }

    /** Whoever is where with whatever tags: every fitting node is in the order once, also for whoever has none. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodysCandidatesShrink(long seed) {
        Random random = new Random(seed);
        List<String> nodes = new ArrayList<>();
        List<String> fitting = new ArrayList<>();
        Placement placement =
                placement(random.nextBoolean() ? profiles : new ProfileRepository(1), random.nextInt(1000));
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            nodes.add("node-%d:8041".formatted(i));
            if (random.nextInt(4) > 0) {
                ingest.accept(nodes.get(i), heartbeat(1, randomContainers(random, i)), T0);
            }
            if (random.nextInt(4) > 0) {
                fitting.add(nodes.get(i));
            }
            placement.proposed("p" + i, nodes.get(i), randomRequest(random), T0);
        }
        Request request = randomRequest(random);

        Ranking ranking = placement.ranking().rank(request, T0, () -> nodes.stream()
                .map(node -> new NodeCandidate(
                        node,
                        fitting.contains(node),
                        Locality.NO_PREFERENCE,
                        placement.accounts().load(node, T0)))
                .toList());

        assertThat(placement.gate().health().errors()).isZero();
        if (ranking.reorders()) {
            assertThat(ranking.verdicts()).extracting(Verdict::node).containsExactlyInAnyOrderElementsOf(fitting);
            assertThat(ranking.verdicts())
                    .allSatisfy(verdict -> assertThat(verdict.cost()).isFinite().isNotNegative());
        }
    }

    private ContainerReport[] randomContainers(Random random, int node) {
        ContainerReport[] containers = new ContainerReport[1 + random.nextInt(4)];
        for (int i = 0; i < containers.length; i++) {
            String container = "c-%d-%d".formatted(node, i);
            containers[i] = random.nextInt(4) == 0
                    ? unmeasured(container)
                    : running(container, Vectors.cpu(random.nextDouble() * 0.2));
            if (random.nextBoolean()) {
                inContainers.put(container, randomRequest(random).occupant());
            }
        }
        return containers;
    }

    private static Request randomRequest(Random random) {
        List<String> tags = new ArrayList<>(TAGS);
        tags.removeIf(tag -> random.nextInt(3) > 0);
        return request("other%d_1".formatted(random.nextInt(3)), tags.toArray(String[]::new));
    }

    private static Request request(String attempt, String... tags) {
        return new Request(attempt, "priority 20", Tasks.SORT, false, "root.q", Wishes.of(Set.of(tags)));
    }

    private static Optional<Matching.Contender> contender(Placement placement, Request request) {
        return placement.freeNodes().contender(request, T0);
    }

    private static String first(Ranking ranking) {
        return ranking.verdicts().get(0).node();
    }

    private static Ranking rank(Placement placement, Request request, String... nodes) {
        return placement.ranking().rank(request, T0, () -> Stream.of(nodes)
                .map(node -> new NodeCandidate(
                        node, true, Locality.NO_PREFERENCE, placement.accounts().load(node, T0)))
                .toList());
    }

    private Placement placement(ProfileRepository known, double penalty) {
        return placement(known, penalty, "root=100");
    }

    /** @param heard whose tags, and how large a sensitivity may be */
    private Placement placement(ProfileRepository known, double penalty, String heard) {
        return new Placement(
                ingest,
                known,
                new FakePredictor(),
                settings(penalty, heard),
                container -> Optional.ofNullable(inContainers.get(container)),
                () -> 0);
    }

    private static PlaceSettings settings(double penalty, String heard) {
        return new PlaceSettings(
                Mode.ON,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                100,
                1000,
                100,
                new MatchSettings(1, Duration.ofMinutes(5), 0.9),
                8,
                ByQueue.none(),
                ByQueue.none(),
                new TagCosts(penalty, 1.32),
                PlaceSettings.TAGS.read((name, fallback) -> heard),
                new TimeLimits(Duration.ofMillis(1), 0.02));
    }
}
