package org.interference.yarn.benchmarks.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Decision;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Outcome;
import org.interference.yarn.benchmarks.advice.SwimTasks.Stage;
import org.junit.jupiter.api.Test;

/** Three nodes of eight places to begin with. */
class ScaledClusterTest {
    /** 24 of 48 tasks run for 10 s, and then the others. */
    @Test
    void tasksWaitForPlaces() {
        Outcome outcome = run((now, waits) -> 0, new Stage("a", 0, 48, 10));

        assertThat(outcome.taskWaitSeconds()).isEqualTo(5);
        assertThat(outcome.stageWaitSeconds()).isZero();
        assertThat(outcome.nodeHours()).isCloseTo(3 * outcome.hours(), within(1e-9));
    }

    /** Three more nodes, asked for at once, come after 5 s. */
    @Test
    void nodesComeAfterTheirPreparation() {
        Outcome outcome = run((now, waits) -> now == 0 ? 3 : 0, new Stage("a", 0, 48, 10));

        assertThat(outcome.taskWaitSeconds()).isEqualTo(2.5);
    }

    @Test
    void nodesGoWhenTheyAreEmptyAndNeverTheLastThree() {
        Outcome outcome = run(
                (now, waits) -> now == 0 ? 3 : now == 20 ? -100 : 0,
                new Stage("a", 0, 48, 10),
                new Stage("a", 100, 24, 10));

        // Six from second 5 to 20, and three otherwise.
        assertThat(outcome.nodeHours() * 3600).isCloseTo(3 * outcome.hours() * 3600 + 3 * 15, within(4.0));
    }

    @Test
    void adviceGrowsForWhatWaitsAndShrinksAfterwards() {
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stages.add(new Stage("a", i * 2000L, 400, 100));
        }
        Outcome advised = new ScaledCluster(100, 60, Scalers.advised(60)).run(stages);
        Outcome printed = new ScaledCluster(100, 60, Scalers.asPrinted(60)).run(stages);

        assertThat(advised.taskWaitSeconds()).isLessThan(400);
        assertThat(advised.nodeHours()).isLessThan(printed.nodeHours() / 2);
    }

    /** Half of the time one threshold and half of it another has tasks wait 15 s with 60 node-hours; 12 s cost 84. */
    @Test
    void adviceIsComparedWithThresholdsThatHaveTasksWaitAsLong() {
        List<Outcome> thresholds = List.of(outcome(10, 100), outcome(20, 20), outcome(30, 15));

        assertThat(ScalingPart.ratio(outcome(12, 42), thresholds, Outcome::taskWaitSeconds))
                .isCloseTo(0.5, within(1e-9));
        assertThat(ScalingPart.ratio(outcome(40, 15), thresholds, Outcome::taskWaitSeconds))
                .isCloseTo(1, within(1e-9));
        assertThat(ScalingPart.ratio(outcome(5, 15), thresholds, Outcome::taskWaitSeconds))
                .isCloseTo(0.15, within(1e-9));
    }

    private static Outcome outcome(double wait, double nodeHours) {
        return new Outcome(wait, wait, nodeHours, 1);
    }

    private interface Change {
        int at(long now, long waiting);
    }

    private static Outcome run(Change change, Stage... stages) {
        return new ScaledCluster(
                        100,
                        5,
                        view -> new Decision(
                                change.at(view.now(), view.waiting().size()), 1))
                .run(List.of(stages));
    }
}
