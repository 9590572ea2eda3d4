package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class TaskProfileTest {
    private static final TaskProfile EMPTY =
            TaskProfile.empty(Tasks.map("sort").keys().get(0));

    @Test
    void loadIsTheMeanOfEachSignal() {
        TaskProfile profile = EMPTY.with(sample(Map.of(Signal.CPU, 0.25, Signal.BLK, 1.0), 10, Tasks.T0))
                .with(sample(Map.of(Signal.CPU, 0.75, Signal.BLK, 2.0), 10, Tasks.T0));

        assertThat(profile.load()).isEqualTo(new InterferenceVector(Map.of(Signal.CPU, 0.5, Signal.BLK, 1.5)));
    }

    @Test
    void sampleWithoutASignalDoesNotPullItsMeanDown() {
        TaskProfile profile = EMPTY.with(sample(Map.of(Signal.CPU, 0.25, Signal.MBW, 0.5), 10, Tasks.T0))
                .with(sample(Map.of(Signal.CPU, 0.75), 10, Tasks.T0));

        assertThat(profile.load().level(Signal.MBW)).hasValue(0.5);
        assertThat(profile.signals().get(Signal.MBW).count()).isEqualTo(1);
        assertThat(profile.samples()).isEqualTo(2);
    }

    @Test
    void signalThatWasNeverMeasuredIsAbsentFromTheLoad() {
        TaskProfile profile = EMPTY.with(sample(Map.of(Signal.CPU, 0.25), 10, Tasks.T0));

        assertThat(profile.load().levels()).containsOnlyKeys(Signal.CPU);
        assertThat(EMPTY.load().isEmpty()).isTrue();
    }

    @Test
    void runTimeIsCountedInSecondsWithFractions() {
        TaskProfile profile = EMPTY.with(sample(Map.of(), 1.25, Tasks.T0)).with(sample(Map.of(), 2.75, Tasks.T0));

        assertThat(profile.runTimeSeconds().mean()).isCloseTo(2.0, within(1e-9));
    }

    @Test
    void sampleThatArrivesLateDoesNotTurnTheClockBack() {
        TaskProfile profile =
                EMPTY.with(sample(Map.of(), 1, Tasks.T0.plusSeconds(60))).with(sample(Map.of(), 1, Tasks.T0));

        assertThat(profile.updated()).isEqualTo(Tasks.T0.plusSeconds(60));
        assertThat(profile.samples()).isEqualTo(2);
    }

    @Test
    void addingASampleLeavesTheOldProfileAsItWas() {
        TaskProfile before = EMPTY.with(sample(Map.of(Signal.CPU, 0.25), 10, Tasks.T0));

        before.with(sample(Map.of(Signal.CPU, 0.75), 10, Tasks.T0));

        assertThat(before.samples()).isEqualTo(1);
        assertThat(before.load().level(Signal.CPU)).hasValue(0.25);
    }

    private static TaskSample sample(Map<Signal, Double> levels, double seconds, Instant finishedAt) {
        return new TaskSample(
                Tasks.map("sort"),
                new InterferenceVector(levels),
                Duration.ofMillis(Math.round(seconds * 1000)),
                finishedAt);
    }

    /** Such as per cents: what is learnt of them would be wrong, and the square of more than enough is not finite. */
    @Test
    void whatNobodyCanHaveMeasuredIsRefused() {
        TaskKey key = new TaskKey(TaskKey.Level.NAME, "mapreduce/sort/map/default");
        for (double level : new double[] {1.01 * Signal.BLK.highest(), 1e200}) {
            TaskProfile profile = new TaskProfile(
                    key, 1, Map.of(Signal.BLK, Averages.constant(1, level)), Averages.NONE, Instant.EPOCH);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> profile.requirePlausible(Instant.EPOCH))
                    .withMessageContaining("mapreduce/sort/map/default has blk of " + level);
        }
        TaskProfile highest = new TaskProfile(
                key,
                1,
                Map.of(Signal.BLK, Averages.constant(1, Signal.BLK.highest())),
                Averages.NONE,
                Instant.EPOCH.plus(Duration.ofHours(23)));
        highest.requirePlausible(Instant.EPOCH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> highest.requirePlausible(Instant.EPOCH.minus(Duration.ofHours(2))));
    }
}
