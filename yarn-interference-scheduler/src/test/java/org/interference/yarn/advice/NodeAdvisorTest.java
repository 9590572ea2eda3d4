package org.interference.yarn.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.advice.NodeAdvisor.Action;
import org.interference.yarn.advice.NodeAdvisor.Tasks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes of 8 GB and 4 vcores, tasks of 1 GB and one vcore, and nodes that take 100 s to come. */
class NodeAdvisorTest {
    private static final Amount NODE = new Amount(8192, 4);
    private static final Amount TASK = new Amount(1024, 1);

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void nothingWaitsAndNothingIsIdle() {
        NodeAdvisor.Advice advice = advice(2, List.of(running(8, 1000)), List.of());

        assertThat(advice.action()).isEqualTo(Action.KEEP);
        assertThat(advice.change()).isZero();
    }

    @Test
    void whatWillStillWaitNeedsNodesByWhatItHasMostOf() {
        NodeAdvisor.Advice advice = advice(2, List.of(running(8, 1000)), List.of(waiting(9, 1000)));

        // By vcores, of which a node has four; by memory it would be two.
        assertThat(advice.change()).isEqualTo(3);
        assertThat(advice.action()).isEqualTo(Action.GROW);
        assertThat(advice.again()).isEqualTo(Duration.ofSeconds(100));
        assertThat(advice.shortageThen()).isEqualTo(new Amount(9 * 1024, 9));
    }

    @Test
    void whatEndsInTimeMakesRoom() {
        NodeAdvisor.Advice advice = advice(2, List.of(running(8, 50)), List.of(waiting(8, 1000)));

        assertThat(advice.action()).isEqualTo(Action.KEEP);
        assertThat(advice.shortageNow()).isEqualTo(new Amount(8 * 1024, 8));
        assertThat(advice.shortageThen()).isEqualTo(Amount.NONE);
    }

    /** Eight places are free after 10, 50 and 90 s. */
    @Test
    void waitingTasksThatEndInTimeMakeRoomForOthers() {
        assertThat(advice(2, List.of(running(8, 10)), List.of(waiting(24, 40))).change())
                .isZero();
        assertThat(advice(2, List.of(running(8, 10)), List.of(waiting(32, 40))).change())
                .isEqualTo(2);
    }

    @Test
    void whatIsOfUnknownLengthIsTakenToStay() {
        Tasks unknown = new Tasks(TASK, 8, OptionalDouble.empty());

        assertThat(advice(2, List.of(unknown), List.of(waiting(4, 10))).change())
                .isEqualTo(1);
        assertThat(advice(2, List.of(), List.of(unknown, waiting(4, 10))).change())
                .isEqualTo(1);
    }

    @Test
    void idleNodesGoWhole() {
        assertThat(advice(3, List.of(running(5, 1000)), List.of()).change()).isEqualTo(-1);
        assertThat(advice(3, List.of(running(12, 50)), List.of()).change()).isEqualTo(-3);
        assertThat(advice(3, List.of(running(9, 1000)), List.of()).action()).isEqualTo(Action.KEEP);
    }

    @Test
    void taskThatTakesExactlyWhatIsFreeIsStarted() {
        assertThat(advice(1, List.of(running(3, 1000)), List.of(waiting(1, 1000)))
                        .action())
                .isEqualTo(Action.KEEP);
    }

    @Test
    void moreNodesDoNotHelpATaskThatNoNodeIsLargeEnoughFor() {
        Tasks huge = new Tasks(new Amount(9000, 1), 5, OptionalDouble.of(10));

        NodeAdvisor.Advice advice = advice(1, List.of(running(4, 1000)), List.of(huge));

        assertThat(advice.action()).isEqualTo(Action.KEEP);
        assertThat(advice.tooLarge()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({"10, 0.8, 0.8, 10", "10, 1, 0.5, 20", "10, 0.25, 0.5, 5", "3, 0.5, 0.4, 4", "10, 0, 0.5, 0"})
    void thresholdAsksForWhatBringsTheUseToIt(int nodes, double use, double desired, int asked) {
        assertThat(NodeAdvisor.byUse(nodes, use, desired)).isEqualTo(asked);
    }

    @Test
    void whatIsNoClusterIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NodeAdvisor.Cluster(0, NODE, NODE, List.of(), List.of(), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> NodeAdvisor.byUse(1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Tasks(TASK, -1, OptionalDouble.empty()));
    }

    /** What was free, what ended and what waited is what is free and what waits then: nothing is lost or made. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shortageAndIdlenessFollowFromOneAnother(long seed) {
        Random random = new Random(seed);
        int nodes = 1 + random.nextInt(20);
        List<Tasks> running = new ArrayList<>();
        int busy = random.nextInt(4 * nodes + 1);
        for (int i = 0; i < busy; i++) {
            running.add(new Tasks(TASK, 1, seconds(random)));
        }
        List<Tasks> waiting = new ArrayList<>();
        for (int i = 0; i < random.nextInt(5); i++) {
            waiting.add(new Tasks(TASK, random.nextInt(50), seconds(random)));
        }

        NodeAdvisor.Advice advice = advice(nodes, running, waiting);

        if (advice.shortageThen().vcores() > 0) {
            // Tasks of one size are never passed over, so that whoever waits finds nothing free.
            assertThat(advice.idleThen().vcores()).isZero();
            assertThat(advice.change())
                    .isEqualTo((int) Math.ceil(advice.shortageThen().vcores() / 4));
        } else {
            assertThat(advice.change())
                    .isEqualTo(-(int) Math.floor(advice.idleThen().vcores() / 4));
        }
        assertThat(advice.shortageThen().vcores())
                .isBetween(0.0, advice.shortageNow().vcores());
        assertThat(advice.idleThen().vcores()).isBetween(0.0, 4.0 * nodes);
    }

    private static OptionalDouble seconds(Random random) {
        return random.nextInt(4) == 0 ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(300));
    }

    private static Tasks running(long count, double seconds) {
        return new Tasks(TASK, count, OptionalDouble.of(seconds));
    }

    private static Tasks waiting(long count, double seconds) {
        return new Tasks(TASK, count, OptionalDouble.of(seconds));
    }

    private static NodeAdvisor.Advice advice(int nodes, List<Tasks> running, List<Tasks> waiting) {
        Amount taken = running.stream()
                .map(tasks -> tasks.each().times((double) tasks.count()))
                .reduce(Amount.NONE, Amount::plus);
        return NodeAdvisor.of(new NodeAdvisor.Cluster(
                nodes, NODE, NODE.times(nodes).plus(taken.times(-1)), running, waiting, Duration.ofSeconds(100)));
    }
}
