package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.place.Matching.Contender;
import org.interference.yarn.place.Matching.FreeNode;
import org.interference.yarn.place.Matching.Reason;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is declined a node, and what bounds it. */
class MatchingTest {
    private static final MatchSettings SETTINGS = new MatchSettings(1, Duration.ofSeconds(2), 0);
    private static final String NODE = "node-a:8041";
    private static final List<String> TAGS =
            List.of("ifc-spread", "ifc-exclusive", "ifc-avoid:heavy", "ifc-affinity:shop");
    private static final NodeLoad IDLE = new NodeLoad(List.of());
    private static final NodeLoad BUSY = new NodeLoad(List.of(Vectors.cpu(0.9)));

    private static final FreeNode FREE = new FreeNode(NODE, BUSY, true);

    private final Matching matching = new Matching();
    private final Request heavy = request("heavy");
    private final Request light = request("light");
    private final TaskKind heavyKind = kind("heavy", Vectors.cpu(0.9), new FakePredictor());
    private final TaskKind lightKind = kind("light", Vectors.cpu(0.1), new FakePredictor());

    /** Both were offered a node on which they would be alone, and then know that a busy one is worse than usual. */
    @BeforeEach
    void offerAnIdleNode() {
        matching.offered(
                light,
                once(lightKind),
                new FreeNode("idle:8041", IDLE, true),
                new DecidedVisit(),
                List.of(once(heavyKind), once(lightKind)),
                SETTINGS,
                T0);
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /** What a sensitive task loses counts more, and so does that the prediction of it may be wrong. */
    @Test
    void noNodeIsLeftForWhatASensitiveTaskMayNotLose() {
        SlowdownPredictor slower = new SlowdownPredictor() {
            @Override
            public String name() {
                return "slower";
            }

            @Override
            public Prediction predict(Situation situation) {
                return new Prediction.Slowdown(1.15);
            }

            @Override
            public OptionalDouble error() {
                return OptionalDouble.of(0.15);
            }
        };
        Contender sensitive = new Contender(kind("sensitive", Vectors.cpu(0.2), slower), 10);

        Offered.Contending its = choose(List.of(sensitive), BUSY, T0)
                .offered()
                .orElseThrow()
                .contenders()
                .get(0);

        assertThat(its.bid().gain()).isNegative();
        assertThat(its.bid().atMost()).isPositive();
    }

    /** Who asks only what there would be to gain changes no offer after it. */
    @Test
    void whatOneMoreWouldGainIsWhatItWouldBid() {
        Offer.Bid asked = Bids.gainOf(once(heavyKind), BUSY);
        Offer.Bid bid = choose(List.of(once(heavyKind)), BUSY, T0)
                .offered()
                .orElseThrow()
                .contenders()
                .get(0)
                .bid();

        assertThat(asked.gain()).isEqualTo(bid.gain());
        assertThat(asked.atMost()).isEqualTo(bid.atMost());
        assertThat(asked.atLeast()).isLessThanOrEqualTo(asked.gain());
        assertThat(Offer.Bid.UNKNOWN.atLeast()).isNaN();
    }

    @Test
    void nodeIsLeftToTheWaitingTaskThatItSuitsBest() {
        assertThat(offer(heavy, heavyKind, T0)).isEqualTo(Reason.DECLINED_FOR_ANOTHER);
        assertThat(offer(light, lightKind, T0)).isEqualTo(Reason.TAKEN_BEST);
    }

    @Test
    void nobodyWaitsWhereNobodyElseDoes() {
        assertThat(matching.offered(
                                heavy,
                                once(heavyKind),
                                FREE,
                                new DecidedVisit(),
                                List.of(once(heavyKind)),
                                SETTINGS,
                                T0)
                        .reason())
                .isEqualTo(Reason.TAKEN_BEST);
    }

    @Test
    void containerWaitsAtMostForItsBoundAndTheNextOneAnew() {
        assertThat(offer(heavy, heavyKind, "node-b:8041", T0)).isEqualTo(Reason.DECLINED_FOR_ANOTHER);

        assertThat(offer(heavy, heavyKind, T0.plusSeconds(2))).isEqualTo(Reason.TAKEN_OVERDUE);

        matching.waits().placed(heavy, NODE);
        assertThat(offer(heavy, heavyKind, T0.plusSeconds(2))).isEqualTo(Reason.DECLINED_FOR_ANOTHER);
    }

    @Test
    void nodeThatNobodyTakesIsGivenToTheNextWhoAsksAndNobodyWaitsForTheOtherAgain() {
        offer(heavy, heavyKind, T0);

        Instant later = T0.plusMillis(1500);
        assertThat(offer(heavy, heavyKind, later)).isEqualTo(Reason.TAKEN_UNWANTED);
        matching.waits().placed(heavy, NODE);
        assertThat(offer(heavy, heavyKind, later.plusMillis(9999))).isEqualTo(Reason.TAKEN_BEST);
        assertThat(offer(heavy, heavyKind, later.plusSeconds(10))).isEqualTo(Reason.DECLINED_FOR_ANOTHER);
    }

    @Test
    void whoGetsAContainerIsWaitedForAgainAndNotWhoIsOnlyOfferedANode() {
        offer(heavy, heavyKind, T0);
        offer(heavy, heavyKind, T0.plusMillis(1500));
        matching.waits().placed(heavy, NODE);

        offer(light, lightKind, "node-b:8041", T0.plusMillis(1600));
        assertThat(offer(heavy, heavyKind, T0.plusMillis(1700))).isEqualTo(Reason.TAKEN_BEST);

        matching.waits().served(lightKind);
        assertThat(offer(heavy, heavyKind, T0.plusMillis(1800))).isEqualTo(Reason.DECLINED_FOR_ANOTHER);
    }

    @Test
    void nobodyIsDeclinedForWhatIsNotKnown() {
        TaskKind unknown = kind("unknown", Vectors.of(Signal.BLK, 0.5), new FakePredictor());

        assertThat(offer(request("unknown"), unknown, T0)).isEqualTo(Reason.TAKEN_UNKNOWN);
        assertThat(matching.offered(
                                heavy, once(heavyKind), FREE, new DecidedVisit(), List.of(once(unknown)), SETTINGS, T0)
                        .reason())
                .isEqualTo(Reason.TAKEN_BEST);
    }

    @Test
    void whoWaitsForTooLongGetsANodeThatHasJustBeenLeft() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));

        assertThat(leave(harmful, "node-a:8041", T0)).isEqualTo(Reason.LEFT);
        assertThat(leave(harmful, "node-b:8041", T0.plusMillis(1999))).isEqualTo(Reason.LEFT);
        assertThat(leave(harmful, "node-b:8041", T0.plusSeconds(2))).isEqualTo(Reason.TAKEN_OVERDUE);
    }

    /** However many containers one asks for: each node that is left serves one in each hold, so that all have waited as long when the last is served. */
    @Test
    void nodeThatAnyTaskWouldHarmServesOneContainerInEachHold() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        Duration hold = SETTINGS.hold();
        Instant now = T0;
        for (int container = 0; container < 10; container++) {
            assertThat(leave(harmful, NODE, now)).isEqualTo(Reason.LEFT);
            assertThat(leave(harmful, NODE, now.plus(hold).minusMillis(1))).isEqualTo(Reason.LEFT);
            now = now.plus(hold);
            assertThat(leave(harmful, NODE, now)).isEqualTo(Reason.TAKEN_BEST);
            matching.waits().placed(request("harmful"), NODE);
        }
    }

    @Test
    void nodeThatIsGoneIsNotTakenForOneThatHasBeenLeftForLong() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        leave(harmful, NODE, T0);

        matching.waits().forget(NODE);

        assertThat(leave(harmful, NODE, T0.plus(SETTINGS.hold()))).isEqualTo(Reason.LEFT);
    }

    @Test
    void nodeThatMustNotBeLeftIsGivenToTheFirst() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));

        Matching.Choice choice = matching.choose(
                List.of(once(harmful)), who -> Optional.of("first"), new FreeNode(NODE, BUSY, false), SETTINGS, T0);

        assertThat(choice.taken()).hasValue(0);
        assertThat(choice.leaves()).isFalse();
    }

    @Test
    void nodeIsNeverLeftOnTheWordOfAModelThatWasWrongOrIsNotKnown() {
        assertThat(leave(kind("wrong", Vectors.cpu(1), new Destructive(OptionalDouble.of(1))), NODE, T0))
                .isEqualTo(Reason.TAKEN_BEST);
        assertThat(leave(kind("new", Vectors.cpu(1), new Destructive(OptionalDouble.empty())), NODE, T0))
                .isEqualTo(Reason.TAKEN_BEST);
    }

    @Test
    void nodeIsNotLeftWhereATaskThatWaitsWouldNotHarmItButKeptForThat() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        List<Contender> waiting = List.of(once(harmful), once(lightKind));

        assertThat(matching.offered(request("harmful"), once(harmful), FREE, new DecidedVisit(), waiting, SETTINGS, T0)
                        .reason())
                .isEqualTo(Reason.DECLINED_FOR_ANOTHER);
        assertThat(choose(waiting, BUSY, T0).taken()).hasValue(1);
    }

    /** By a predictor whose error is great: it may gain there, and may not. */
    @Test
    void whatANodeHasGrownByIsNotForWhoPerhapsGains() {
        Contender perhaps = once(kind("perhaps", Vectors.cpu(0.5), new Grave(OptionalDouble.of(1))));
        Contender surely = once(kind("surely", Vectors.cpu(0.5), new Grave(OptionalDouble.of(0.01))));

        assertThat(chooseGrown(List.of(perhaps, surely), T0).taken()).hasValue(1);
        assertThat(chooseGrown(List.of(perhaps), T0).leaves()).isTrue();
        assertThat(choose(List.of(perhaps), BUSY, T0).taken()).hasValue(0);
    }

    /** As where YARN lets whom it suits have nothing more. */
    @Test
    void whatANodeHasGrownByIsNotForWhoPerhapsGainsThoughNobodyTakesIt() {
        Contender perhaps = once(kind("perhaps", Vectors.cpu(0.5), new Grave(OptionalDouble.of(1))));
        Contender surely = once(kind("surely", Vectors.cpu(0.5), new Grave(OptionalDouble.of(0.01))));
        Instant unwanted = T0.plusMillis(1500);

        assertThat(offerGrown(perhaps, surely, T0)).isEqualTo(Reason.DECLINED_FOR_ANOTHER);
        assertThat(offerGrown(perhaps, surely, unwanted)).isEqualTo(Reason.LEFT);
        assertThat(matching.waits().isInVain(surely.kind(), unwanted)).isTrue();
        assertThat(offerGrown(perhaps, surely, unwanted)).isEqualTo(Reason.LEFT);
    }

    /** Who is refused what nobody has a right to has not been passed over, however often. */
    @Test
    void nobodyIsEverOverdueForWhatANodeHasGrownBy() {
        Contender perhaps = once(kind("perhaps", Vectors.cpu(0.5), new Grave(OptionalDouble.of(1))));
        Instant later = T0.plus(SETTINGS.maxWait()).plusSeconds(1);
        FreeNode grown = new FreeNode(NODE, BUSY, true, true);
        for (Instant now : List.of(T0, later)) {
            assertThat(chooseGrown(List.of(perhaps), now).reason()).isEqualTo(Reason.LEFT);
            assertThat(matching.offered(heavy, perhaps, grown, new DecidedVisit(), List.of(perhaps), SETTINGS, now)
                            .reason())
                    .isEqualTo(Reason.LEFT);
        }

        assertThat(matching.waits().isAnybodyPassedOver()).isFalse();
    }

    /** The parent goes on from one to the next, and the node is decided about once. */
    @Test
    void whatIsDecidedInAVisitHoldsUntilTheNext() {
        DecidedVisit visited = new DecidedVisit();
        List<Contender> waiting = List.of(once(heavyKind), once(lightKind));

        assertThat(matching.decided(heavy, once(heavyKind), NODE, visited, SETTINGS, T0))
                .isEmpty();
        assertThat(matching.offered(heavy, once(heavyKind), FREE, visited, waiting, SETTINGS, T0)
                        .declines())
                .isTrue();
        assertThat(matching.decided(light, once(lightKind), NODE, visited, SETTINGS, T0))
                .hasValueSatisfying(choice -> assertThat(choice.reason()).isEqualTo(Reason.TAKEN_BETTER));
        assertThat(matching.decided(request("heavy too"), once(heavyKind), NODE, visited, SETTINGS, T0))
                .hasValueSatisfying(choice -> assertThat(choice.declines()).isTrue());
        assertThat(matching.decided(light, once(lightKind), "node-b:8041", visited, SETTINGS, T0))
                .isEmpty();
        Instant overdue = T0.plus(SETTINGS.maxWait());
        assertThat(matching.decided(heavy, once(heavyKind), NODE, visited, SETTINGS, overdue))
                .isEmpty();

        visited.forget();

        assertThat(matching.decided(light, once(lightKind), NODE, visited, SETTINGS, T0))
                .isEmpty();
    }

    @Test
    void whoIsAskedNextWaitsNoLongerThanTheBound() {
        DecidedVisit visited = new DecidedVisit();
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        matching.offered(request("first"), once(harmful), FREE, visited, List.of(), SETTINGS, T0);
        Request next = request("next");

        assertThat(matching.decided(next, once(harmful), NODE, visited, SETTINGS, T0))
                .hasValueSatisfying(choice -> assertThat(choice.leaves()).isTrue());
        assertThat(matching.decided(next, once(harmful), NODE, visited, SETTINGS, T0.plus(SETTINGS.maxWait())))
                .isEmpty();
    }

    /** All that wait are harmful, of one application after the other: each gets a container after the bound, in the parent's order. */
    @Test
    void nodeThatIsLeftForEverServesEverybodyOnceInTheBound() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        TaskKind other = kind("other", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        List<Contender> waiting = List.of(once(harmful), once(other));
        assertThat(choose(waiting, BUSY, T0).leaves()).isTrue();
        Instant later = T0.plus(SETTINGS.maxWait());

        assertThat(choose(waiting, BUSY, later).taken()).hasValue(0);
        matching.waits().placed(request("0"), NODE);
        assertThat(matching.choose(waiting.subList(1, 2), who -> Optional.of("1 priority 1"), FREE, SETTINGS, later)
                        .taken())
                .hasValue(0);
        matching.waits().placed(request("1"), NODE);
        assertThat(choose(waiting, BUSY, later).leaves()).isTrue();
    }

    /** In shadow nothing happens but that it is told: not even that somebody has been passed over. */
    @Test
    void inShadowItIsToldWhoWouldHaveGotTheNodeAndWhatThatIsWorth() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        List<Contender> waiting = List.of(new Contender(harmful, 1, Mode.SHADOW), new Contender(lightKind, 1, Mode.ON));

        Matching.Choice choice = choose(waiting, BUSY, T0);
        Matching.Choice left = choose(waiting.subList(0, 1), BUSY, T0.plusSeconds(3));

        assertThat(choice.isToldOnly()).isTrue();
        assertThat(choice.taken()).hasValue(1);
        Offered offered = choice.offered().orElseThrow();
        assertThat(offered.saved())
                .isEqualTo(offered.contenders().get(1).bid().gain()
                        - offered.contenders().get(0).bid().gain());
        assertThat(offered.savedSeconds()).isEqualTo(10 * offered.saved());
        assertThat(left.reason()).isEqualTo(Reason.LEFT);
        assertThat(left.leaves()).isFalse();
        assertThat(left.offered().orElseThrow().saved()).isCloseTo(1.0 / 3, within(1e-9));
    }

    @Test
    void whoIsInShadowGetsNothingThatIsDecidedForWhoIsOn() {
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        List<Contender> waiting = List.of(once(harmful), new Contender(lightKind, 1, Mode.SHADOW), once(lightKind));

        assertThat(choose(waiting, BUSY, T0).taken()).hasValue(2);
    }

    @Test
    void sensitiveTaskLeavesABadNodeToAnotherAndTakesAGoodOne() {
        List<Contender> waiting = List.of(
                new Contender(heavyKind, 4), new Contender(kind("calm", Vectors.cpu(0.9), new FakePredictor()), 1));
        choose(waiting, IDLE, T0);

        assertThat(choose(waiting, BUSY, T0).taken()).hasValue(1);
        assertThat(choose(waiting, IDLE, T0).taken()).hasValue(0);
    }

    @Test
    void whereAllNodesAreAlikeNobodyIsPreferred() {
        List<Contender> waiting = List.of(once(heavyKind), once(lightKind));
        for (int i = 0; i < 20; i++) {
            choose(waiting, BUSY, T0);
        }

        Matching.Choice choice = choose(waiting, BUSY, T0);

        assertThat(choice.taken()).hasValue(0);
        assertThat(choice.reason()).isEqualTo(Reason.TAKEN_BEST);
    }

    /** Two of one kind gain the same, usually and here, and only the first is rather not beside others. */
    @Test
    void tagsDecideBetweenTwoOfEqualExcess() {
        Matching tagged = new Matching(() -> new TagCosts(1, 1.32));
        List<Contender> waiting = List.of(asked(heavyKind, "app_1", "ifc-exclusive"), asked(heavyKind, "other_1"));
        assertThat(choose(tagged, waiting, IDLE, T0).taken()).hasValue(0);

        Matching.Choice choice = choose(tagged, waiting, beside("third_1"), T0);

        assertThat(choice.taken()).hasValue(1);
        assertThat(choice.reason()).isEqualTo(Reason.TAKEN_BETTER);
        Offer.Bid first = choice.offered().orElseThrow().contenders().get(0).bid();
        Offer.Bid second = choice.offered().orElseThrow().contenders().get(1).bid();
        assertThat(first.gain()).isEqualTo(second.gain());
        assertThat(first.atMost()).isEqualTo(second.atMost());
        assertThat(first.excess()).isEqualTo(second.excess() - 1);
        assertThat(choose(tagged, waiting, beside("app_1"), T0).taken())
                .as("beside its own")
                .hasValue(0);
    }

    @Test
    void whoTalksLeavesANodeWhereNobodyIsWhomItTalksTo() {
        Matching tagged = new Matching(() -> new TagCosts(1, 1.32));
        List<Contender> waiting = List.of(asked(heavyKind, "app_1", "ifc-affinity:shop"), asked(heavyKind, "other_1"));

        assertThat(choose(tagged, waiting, beside("third_1"), T0).taken()).hasValue(1);
        assertThat(choose(tagged, waiting, beside("third_1", "ifc-affinity:shop"), T0)
                        .taken())
                .hasValue(0);
    }

    @Test
    void whoIsRatherElsewhereIsDeclinedForAnotherOfItsKind() {
        Matching tagged = new Matching(() -> new TagCosts(1, 1.32));
        Contender exclusive = asked(heavyKind, "app_1", "ifc-exclusive");
        Contender other = asked(heavyKind, "other_1");
        FreeNode node = new FreeNode(NODE, beside("third_1"), true);
        DecidedVisit visited = new DecidedVisit();

        assertThat(tagged.offered(request("app_1"), exclusive, node, visited, List.of(exclusive, other), SETTINGS, T0)
                        .reason())
                .isEqualTo(Reason.DECLINED_FOR_ANOTHER);
        assertThat(tagged.decided(request("other_1"), other, NODE, visited, SETTINGS, T0))
                .hasValueSatisfying(choice -> assertThat(choice.reason()).isEqualTo(Reason.TAKEN_BETTER));
    }

    /** Whatever anybody wishes for, and whatever that is worth: a node is left where it would be without tags, and nowhere else. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aTagAloneNeverLeavesANode(long seed) {
        Random random = new Random(seed);
        TaskKind harmful = kind("harmful", Vectors.cpu(1), new Destructive(OptionalDouble.of(0.05)));
        TaskKind gentle = kind("gentle", Vectors.cpu(1), new Gentle(OptionalDouble.of(0.05)));
        List<TaskKind> kinds = List.of(
                        List.of(harmful), List.of(gentle), List.of(harmful, gentle, heavyKind, lightKind))
                .get(random.nextInt(3));
        TagCosts costs = new TagCosts(random.nextInt(1000), 1 + random.nextDouble());
        List<Contender> tagged = new ArrayList<>();
        List<Contender> plain = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            TaskKind kind = kinds.get(random.nextInt(kinds.size()));
            tagged.add(asked(kind, "app%d_1".formatted(random.nextInt(3)), randomTags(random)));
            plain.add(once(kind));
        }
        NodeLoad load = beside("app0_1", randomTags(random));

        Matching.Choice with = choose(new Matching(() -> costs), tagged, load, T0);
        Matching.Choice without = choose(new Matching(), plain, load, T0);

        assertThat(with.leaves()).isEqualTo(without.leaves());
        assertThat(with.taken().isPresent()).isEqualTo(without.taken().isPresent());
    }

    /** The light one would gain more on every node. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void harmlessTasksDoNotGetEveryNodeButTheBusierOnes(long seed) {
        Random random = new Random(seed);
        List<Contender> waiting = new ArrayList<>(List.of(once(heavyKind), once(lightKind)));
        DoubleSummaryStatistics heavysNodes = new DoubleSummaryStatistics();
        DoubleSummaryStatistics lightsNodes = new DoubleSummaryStatistics();
        for (int i = 0; i < 200; i++) {
            double cpu = 0.1 + 0.8 * random.nextDouble();
            Collections.shuffle(waiting, random);
            NodeLoad load = new NodeLoad(List.of(Vectors.cpu(cpu)));
            int taken = choose(waiting, load, T0).taken().orElseThrow();
            boolean heavys = waiting.get(taken).kind() == heavyKind;
            (heavys ? heavysNodes : lightsNodes).accept(cpu);
        }

        assertThat(heavysNodes.getCount()).isBetween(60L, 140L);
        assertThat(lightsNodes.getAverage()).isGreaterThan(heavysNodes.getAverage() + 0.2);
    }

    /** Ten requests of random kinds, and random nodes: whatever is offered, nobody is passed over for longer than the settings say. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodyIsPassedOverForLongerThanTheBound(long seed) {
        Random random = new Random(seed);
        Map<String, Instant> firstDeclined = new HashMap<>();
        List<Contender> contenders = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            TaskKind kind = kind("kind-" + i, Vectors.cpu(random.nextDouble()), new FakePredictor());
            contenders.add(new Contender(kind, 0.1 + 10 * random.nextDouble()));
        }
        Instant now = T0;
        for (int i = 0; i < 500; i++) {
            now = now.plusMillis(random.nextInt(100));
            int who = random.nextInt(contenders.size());
            Request request = request("request-" + who);
            String node = "node-%d:8041".formatted(random.nextInt(4));
            NodeLoad load = new NodeLoad(List.of(Vectors.cpu(random.nextDouble())));
            if (matching.offered(
                            request,
                            contenders.get(who),
                            new FreeNode(node, load, true),
                            new DecidedVisit(),
                            contenders,
                            SETTINGS,
                            now)
                    .declines()) {
                Instant since = firstDeclined.computeIfAbsent(request.attempt(), same -> T0);
                since = since.equals(T0) ? now : since;
                firstDeclined.put(request.attempt(), since);
                assertThat(Duration.between(since, now)).isLessThan(SETTINGS.maxWait());
            } else {
                matching.waits().placed(request, node);
                firstDeclined.remove(request.attempt());
            }
        }
    }

    private Matching.Choice choose(List<Contender> waiting, NodeLoad load, Instant now) {
        return choose(matching, waiting, load, now);
    }

    private static Matching.Choice choose(Matching matching, List<Contender> waiting, NodeLoad load, Instant now) {
        return matching.choose(
                waiting, who -> Optional.of(who + " priority 1"), new FreeNode(NODE, load, true), SETTINGS, now);
    }

    private Matching.Choice chooseGrown(List<Contender> waiting, Instant now) {
        return matching.choose(
                waiting, who -> Optional.of(who + " priority 1"), new FreeNode(NODE, BUSY, true, true), SETTINGS, now);
    }

    private Reason offerGrown(Contender first, Contender other, Instant now) {
        return matching.offered(
                        heavy,
                        first,
                        new FreeNode(NODE, BUSY, true, true),
                        new DecidedVisit(),
                        List.of(first, other),
                        SETTINGS,
                        now)
                .reason();
    }

    private Reason leave(TaskKind kind, String node, Instant now) {
        FreeNode free = new FreeNode(node, BUSY, true);
        return matching.offered(
                        request("harmful"), once(kind), free, new DecidedVisit(), List.of(once(kind)), SETTINGS, now)
                .reason();
    }

    private Reason offer(Request request, TaskKind kind, Instant now) {
        return offer(request, kind, NODE, now);
    }

    private Reason offer(Request request, TaskKind kind, String node, Instant now) {
        return matching.offered(
                        request,
                        once(kind),
                        new FreeNode(node, BUSY, true),
                        new DecidedVisit(),
                        List.of(once(heavyKind), once(lightKind)),
                        SETTINGS,
                        now)
                .reason();
    }

    private static Request request(String name) {
        return new Request(name, "priority 1", identity(name), false);
    }

    private static Contender once(TaskKind kind) {
        return new Contender(kind, 1);
    }

    private static Contender asked(TaskKind kind, String attempt, String... tags) {
        Request request =
                new Request(attempt, "priority 1", identity(kind.name()), false, "root.q", Wishes.of(Set.of(tags)));
        return new Contender(kind, 1, Mode.ON, Optional.of(Applicant.of(request)));
    }

    /** A node as busy as {@link #BUSY}, by a container of that attempt. */
    private static NodeLoad beside(String attempt, String... tags) {
        Occupant there = new Occupant(attempt, "root.q", Wishes.of(Set.of(tags)), () -> identity("heavy"));
        return new NodeLoad(BUSY.containers(), new double[] {1}, List.of(there));
    }

    private static String[] randomTags(Random random) {
        return TAGS.stream().filter(tag -> random.nextInt(3) == 0).toArray(String[]::new);
    }

    private static TaskIdentity identity(String name) {
        return TaskIdentity.of("TEST", name, "map", "default", Optional.of(name));
    }

    private static TaskKind kind(String name, InterferenceVector load, SlowdownPredictor predictor) {
        TaskIdentity task = identity(name);
        TaskProfile profile =
                TaskProfile.empty(task.keys().get(0)).with(new TaskSample(task, load, Duration.ofSeconds(10), T0));
        return new TaskKind(Math.floorMod(name.hashCode(), 100), profile, predictor);
    }

    /** Whoever comes makes everybody a tenth slower. */
    private record Gentle(OptionalDouble error) implements SlowdownPredictor {
        @Override
        public String name() {
            return "gentle";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(situation.isAlone() ? 1 : 1.1);
        }
    }

    /** Whoever comes makes everybody so much slower that a little more would be a loss. */
    private record Grave(OptionalDouble error) implements SlowdownPredictor {
        @Override
        public String name() {
            return "grave";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(situation.isAlone() ? 1 : 1.8);
        }
    }

    /** Whoever comes makes everybody three times as slow. */
    private record Destructive(OptionalDouble error) implements SlowdownPredictor {
        @Override
        public String name() {
            return "destructive";
        }

        @Override
        public Prediction predict(Situation situation) {
            return new Prediction.Slowdown(situation.isAlone() ? 1 : 3);
        }
    }
}
