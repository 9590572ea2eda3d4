package org.interference.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.capacity.States.GAIN;
import static org.interference.yarn.capacity.States.HARM;
import static org.interference.yarn.capacity.States.NODE;
import static org.interference.yarn.capacity.States.SETTINGS;
import static org.interference.yarn.capacity.States.T0;
import static org.interference.yarn.capacity.States.running;
import static org.interference.yarn.capacity.States.state;
import static org.interference.yarn.capacity.States.waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.capacity.SizeDecision.Action;
import org.interference.yarn.capacity.SizeDecision.Eviction;
import org.interference.yarn.capacity.SizeDecision.Reason;
import org.interference.yarn.place.Offer.Bid;
import org.junit.jupiter.api.Test;

/** How large one node is, step by step. */
class GovernorTest {
    private static final Size NINE = new Size(9 * 1024, 9);
    private static final Size TEN = new Size(10 * 1024, 10);

    private final Governor governor = new Governor(SETTINGS);

    private static NodePressure available(double mb) {
        return new NodePressure(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(mb));
    }

    private static NodePressure stalled(OptionalDouble cpu, OptionalDouble io) {
        return new NodePressure(cpu, io, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    @Test
    void fullNodeGrowsByOneContainerWhileThatSurelyGains() {
        assertThat(decide(state(NODE, running(8), waiting(GAIN)))).isEqualTo("GROW GAIN 9216 9");
    }

    @Test
    void nodeWithRoomStaysAsItIs() {
        assertThat(decide(state(NODE, running(7), waiting(GAIN)))).isEqualTo("KEEP ROOM 8192 8");
    }

    @Test
    void nextStepWaitsForTheInterval() {
        decide(state(NODE, running(8), waiting(GAIN)));

        assertThat(decide(state(NINE, running(9), waiting(GAIN)), T0.plusSeconds(4)))
                .isEqualTo("KEEP TOO_SOON 9216 9");
        assertThat(decide(state(NINE, running(9), waiting(GAIN)), T0.plusSeconds(5)))
                .isEqualTo("GROW GAIN 10240 10");
    }

    @Test
    void nodeDoesNotGrowOnTheWordOfAPredictorWhoseErrorNobodyKnows() {
        assertThat(decide(state(NODE, running(8), waiting(new Bid(1, Double.POSITIVE_INFINITY, 0)))))
                .isEqualTo("KEEP GAIN_UNSURE 8192 8");
        assertThat(decide(state(NODE, running(8), waiting(Bid.UNKNOWN)))).isEqualTo("KEEP GAIN_UNKNOWN 8192 8");
    }

    @Test
    void nodeDoesNotGrowBeyondWhatItsMemoryIsExpectedToHold() {
        int most = 0;
        while (decideAnew(state(NODE.plus(new Size(1024L * most, most)), running(8 + most), waiting(GAIN)))
                .startsWith("GROW")) {
            most++;
        }

        // Of 7,373 MiB; the mean peak is a little below 500, but all of them use that already.
        assertThat(8 + most).isEqualTo(14);
    }

    @Test
    void containersOfUnknownKindsAreExpectedToUseAllThatTheyRequest() {
        WaitingKind unknown = new WaitingKind("new", States.CONTAINER, GAIN, Optional.empty());
        List<RunningContainer> full = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            full.add(new RunningContainer(
                    "c" + i, States.CONTAINER, OptionalDouble.empty(), Optional.empty(), false, false, 1, T0));
        }

        assertThat(decide(state(NODE, full, unknown))).isEqualTo("KEEP MEMORY 8192 8");
    }

    @Test
    void opportunisticContainersTakeNothingOfANodeButItsMemory() {
        List<RunningContainer> some = new ArrayList<>(running(5));
        List<RunningContainer> full = new ArrayList<>(running(8));
        for (int i = 0; i < 4; i++) {
            RunningContainer opportunistic = new RunningContainer(
                    "o" + i, States.CONTAINER, OptionalDouble.empty(), Optional.empty(), false, false, 1, T0, true);
            some.add(opportunistic);
            full.add(opportunistic);
        }

        assertThat(decide(state(NODE, some, waiting(GAIN)))).isEqualTo("KEEP ROOM 8192 8");
        assertThat(decideAnew(state(NODE, running(8), waiting(GAIN)))).startsWith("GROW");
        assertThat(decideAnew(state(NODE, full, waiting(GAIN)))).isEqualTo("KEEP MEMORY 8192 8");
    }

    @Test
    void nodeThatEverybodyWouldMakeSlowerIsPlacementsToLeave() {
        assertThat(decide(state(NODE, running(8), waiting(HARM)))).isEqualTo("KEEP GAIN_UNSURE 8192 8");
    }

    @Test
    void whatIsFreeOfAGrownNodeIsForWhoSurelyGainsAlone() {
        assertThat(decide(state(TEN, running(9), waiting(HARM)))).isEqualTo("SHRINK GAIN_UNSURE 9216 9");
        assertThat(decide(state(TEN, running(7), waiting(HARM)))).isEqualTo("SHRINK GAIN_UNSURE 8192 8");
        assertThat(decide(state(TEN, running(9), waiting(GAIN)))).isEqualTo("KEEP ROOM 10240 10");
    }

    @Test
    void nodeThatSaysItHasNoMemoryLeftTakesNobodyUntilItHas() {
        NodeState some = state(NODE, running(5), waiting(GAIN));
        NodePressure none = available(100);

        assertThat(decide(States.with(some, none))).isEqualTo("SHRINK MEMORY_SHORT 5120 5");
        assertThat(decide(States.with(some, new Size(5 * 1024, 5)), T0.plusSeconds(1)))
                .isEqualTo("BACK CONFIGURED 8192 8");
    }

    @Test
    void nodeWithoutMemoryTakesNobodyAndKeepsItsVcoresWhereNobodyCountsThem() {
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            running.add(new RunningContainer(
                    "c" + i, new Size(1024, 0), OptionalDouble.of(500), Optional.of(States.HALF), false, false, 1, T0));
        }
        NodePressure none = available(100);

        assertThat(decide(States.with(state(NODE, running, waiting(GAIN)), none)))
                .isEqualTo("SHRINK MEMORY_SHORT 5120 8");
    }

    @Test
    void nodeOfWhichMoreMemoryIsUsedThanItHasTakesNobodyAndIsNotMadeSmallerThanWhatRuns() {
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            running.add(running(i, 100_000, i >= 8));
        }
        NodePressure lessThanNothing = available(-50_000);

        SizeDecision grown = governor.decide(States.with(state(TEN, running, waiting(GAIN)), lessThanNothing), T0);
        SizeDecision small = new Governor(SETTINGS)
                .decide(States.with(state(NODE, running.subList(0, 5), waiting(GAIN)), lessThanNothing), T0);

        assertThat(text(grown)).isEqualTo("BACK MEMORY_SHORT 8192 8");
        assertThat(grown.evictions()).isNotEmpty().allMatch(eviction -> eviction.container()
                .matches("container_0[89]"));
        assertThat(text(small)).isEqualTo("SHRINK MEMORY_SHORT 5120 5");
        assertThat(small.figures().limitMb()).isBetween(0.0, 8192.0);
    }

    @Test
    void containersThatAskForNothingMakeNoNodeGrow() {
        WaitingKind nothing = new WaitingKind("nothing", Size.ZERO, GAIN, Optional.empty());
        WaitingKind coresAlone = new WaitingKind("cores", new Size(0, 1), GAIN, Optional.empty());

        assertThat(decide(state(NODE, running(8), nothing))).isEqualTo("KEEP ROOM 8192 8");
        assertThat(decideAnew(state(NODE, running(8), coresAlone)))
                .doesNotStartWith("BACK")
                .doesNotStartWith("SHRINK");
    }

    @Test
    void grownNodeGoesBackAtOnceWhenItsReportsStop() {
        NodeState grown = state(TEN, running(10), waiting(GAIN));

        assertThat(decide(States.withAge(grown, Optional.of(Duration.ofSeconds(16)))))
                .isEqualTo("BACK NO_REPORT 8192 8");
        assertThat(decide(States.withAge(grown, Optional.empty()))).isEqualTo("BACK NO_REPORT 8192 8");
    }

    @Test
    void nodeThatIsStalledForAMomentTakesNobodyMoreAndHoldsNotOff() {
        NodeState grown = state(TEN, running(9), waiting(GAIN));
        NodeState stalled = States.with(grown, stalled(OptionalDouble.of(1), OptionalDouble.empty()));
        decide(grown);

        assertThat(decide(stalled, T0.plusSeconds(9))).isEqualTo("SHRINK PRESSURE 9216 9");
        assertThat(decide(grown, T0.plusSeconds(10))).isEqualTo("KEEP ROOM 10240 10");
        // Stalled anew, and not since then.
        assertThat(decide(stalled, T0.plusSeconds(19))).isEqualTo("SHRINK PRESSURE 9216 9");
    }

    @Test
    void stalledNodeGoesBackAndHoldsOffForTwiceAsLongEachTime() {
        NodeState grown = state(TEN, running(10), waiting(GAIN));
        NodeState stalled = States.with(grown, stalled(OptionalDouble.empty(), OptionalDouble.of(0.9)));
        Instant first = T0.plusSeconds(10);
        decide(grown);
        decide(stalled, first.minusSeconds(1));
        assertThat(decide(stalled, first)).isEqualTo("BACK PRESSURE 8192 8");

        NodeState full = state(NODE, running(8), waiting(GAIN));
        assertThat(decide(full, first.plusSeconds(59))).isEqualTo("KEEP HELD_OFF 8192 8");
        assertThat(decide(full, first.plusSeconds(60))).isEqualTo("GROW GAIN 9216 9");

        Instant again = first.plusSeconds(70);
        decide(stalled, again);
        assertThat(decide(full, again.plusSeconds(119))).isEqualTo("KEEP HELD_OFF 8192 8");
        assertThat(decide(full, again.plusSeconds(120))).isEqualTo("GROW GAIN 9216 9");
    }

    @Test
    void whenMemoryRunsShortWhoWasAdmittedByGrowthGoesAndTheNewestFirst() {
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            running.add(running(i, 800, i >= 8));
        }

        SizeDecision decision = governor.decide(state(TEN, running, waiting(GAIN)), T0);

        assertThat(decision.reason()).isEqualTo(Reason.MEMORY_SHORT);
        assertThat(decision.action()).isEqualTo(Action.BACK);
        assertThat(decision.evictions()).first().isEqualTo(new Eviction("container_09", Duration.ofSeconds(91)));
        assertThat(decision.evictions()).extracting(Eviction::container).containsExactly("container_09");
    }

    /** As in shadow, where nobody goes. */
    @Test
    void whoIsToGoIsNoLossBeforeHeHasGone() {
        decide(state(TEN, running(10), waiting(GAIN)), T0);
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            running.add(running(i, 800, i >= 8));
        }
        SizeDecision decision = governor.decide(state(TEN, running, waiting(GAIN)), T0.plusSeconds(100));
        assertThat(decision.evictions()).hasSize(1);
        assertThat(governor.lostShare()).isZero();

        governor.evicted(decision.evictions().get(0));

        assertThat(governor.lostShare()).isEqualTo(191 / 1000.0);
    }

    @Test
    void whoIsThereByGrowthGoesWhenSomebodyHasWaitedForWhatIsConfigured() {
        NodeState full = state(TEN, running(10), waiting(GAIN));
        NodeState owing = States.owing(full);
        decide(full, T0);
        decide(owing, T0.plusSeconds(2));
        assertThat(governor.decide(owing, T0.plusSeconds(29)).evictions()).isEmpty();

        SizeDecision decision = governor.decide(owing, T0.plusSeconds(30));
        assertThat(decision.evictions()).extracting(Eviction::container).containsExactly("container_09");
        assertThat(text(decision)).as("he is to find room").isEqualTo("KEEP MEMORY_SHORT 10240 10");
        assertThat(decide(state(TEN, running(9), waiting(GAIN)), T0.plusSeconds(32)))
                .isEqualTo("SHRINK HELD_OFF 9216 9");

        decide(full, T0.plusSeconds(100));
        assertThat(governor.decide(owing, T0.plusSeconds(129)).evictions())
                .as("he was served")
                .isEmpty();
    }

    @Test
    void ofTwoTheSensitiveOneStaysIfItLosesMore() {
        RunningContainer sensitive = new RunningContainer(
                "sensitive",
                States.CONTAINER,
                OptionalDouble.of(800),
                Optional.of(States.HALF),
                true,
                false,
                20,
                T0.minusSeconds(10));
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            running.add(running(i, 800, i >= 8));
        }
        running.add(sensitive);

        assertThat(governor.decide(state(TEN, running, waiting(GAIN)), T0).evictions())
                .extracting(Eviction::container)
                .containsExactly("container_08");
    }

    @Test
    void nobodyGoesFromANodeThatWasNotGrown() {
        List<RunningContainer> running = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            running.add(running(i, 1024, false));
        }
        NodeState state = States.with(
                state(NODE, running, waiting(GAIN)),
                new NodePressure(
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(0.5),
                        OptionalDouble.empty(),
                        OptionalDouble.of(0)));

        assertThat(governor.decide(state, T0).evictions()).isEmpty();
    }

    @Test
    void nobodyGrowsAnyMoreOnceGrowingHasCostTooMuch() {
        decide(state(NODE, running(8)), T0);
        decide(state(NODE, running(8)), T0.plusSeconds(10));
        governor.killed("another", Duration.ofSeconds(1), T0.plusSeconds(10));

        assertThat(decide(state(NODE, running(8), waiting(GAIN)), T0.plusSeconds(10)))
                .isEqualTo("KEEP LOSSES 8192 8");
        assertThat(governor.lostShare()).isEqualTo(1.0 / 80);
        assertThat(decide(state(NODE, running(8), waiting(GAIN)), T0.plusSeconds(20)))
                .isEqualTo("GROW GAIN 9216 9");
    }

    @Test
    void nodeOnWhichAContainerWasKilledHoldsOff() {
        decide(state(NODE, running(8)), T0);
        governor.killed(States.ID, Duration.ZERO, T0);

        assertThat(decide(state(NODE, running(8), waiting(GAIN)), T0.plusSeconds(59)))
                .isEqualTo("KEEP HELD_OFF 8192 8");
    }

    @Test
    void grownNodeGoesBackWhenNobodyHasWaitedForAMinute() {
        decide(state(TEN, running(10), waiting(GAIN)), T0);

        assertThat(decide(state(TEN, running(3)), T0.plusSeconds(59))).isEqualTo("KEEP NOBODY_WAITS 10240 10");
        assertThat(decide(state(TEN, running(3)), T0.plusSeconds(60))).isEqualTo("BACK NOBODY_WAITS 8192 8");
    }

    @Test
    void whateverAnAdministratorConfiguresHoldsAtOnceAndBeginsAnew() {
        decide(state(NODE, running(8), waiting(GAIN)), T0);
        Size four = new Size(4 * 1024, 4);
        NodeState fewer = new NodeState(
                States.ID,
                four,
                NINE,
                running(9),
                List.of(waiting(GAIN)),
                NodePressure.UNTOLD,
                Optional.of(Duration.ZERO),
                false);

        assertThat(decide(fewer, T0.plusSeconds(30))).isEqualTo("BACK CONFIGURED_ANEW 4096 4");
    }

    @Test
    void nodeThatNothingIsConfiguredForStaysSo() {
        NodeState nothing = new NodeState(
                States.ID,
                Size.ZERO,
                Size.ZERO,
                running(3),
                List.of(waiting(GAIN)),
                NodePressure.UNTOLD,
                Optional.of(Duration.ZERO),
                false);

        assertThat(decide(nothing, T0)).isEqualTo("KEEP NOTHING_CONFIGURED 0 0");
    }

    @Test
    void reasonsAreCounted() {
        decide(state(NODE, running(8), waiting(GAIN)));

        assertThat(governor.counts()).containsEntry(Reason.GAIN, 1L).containsEntry(Reason.PRESSURE, 0L);
    }

    private String decide(NodeState state) {
        return decide(state, T0);
    }

    private String decide(NodeState state, Instant now) {
        return text(governor.decide(state, now));
    }

    private static String decideAnew(NodeState state) {
        return text(new Governor(SETTINGS).decide(state, T0));
    }

    private static String text(SizeDecision decision) {
        return "%s %s %d %d"
                .formatted(
                        decision.action(),
                        decision.reason(),
                        decision.size().memoryMb(),
                        decision.size().vcores());
    }
}
