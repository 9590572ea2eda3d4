package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.learn.UseSeries.Step;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Few steps tell what was used in all, and about when. */
class UseSeriesTest {
    @Test
    void eachStepHasItsOwnMean() {
        // 0.5 for ten seconds, then nothing for ten, then 0.25 for 20.
        UseSeries series = reported(10, 0.5);
        series = series.with(at(20, 0.25));
        series = series.endedBy(at(40, 0.25));

        assertThat(series.steps())
                .extracting(Step::end)
                .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40));
        assertThat(series.steps())
                .extracting(step -> step.levels().get(Signal.CPU))
                .containsExactly(0.5, 0.0, 0.25);
        assertThat(series.steps().get(0).levels()).doesNotContainKey(Signal.MEM);
    }

    @Test
    void aShortTaskHasOneStep() {
        assertThat(reported(3, 0.5).steps()).hasSize(1);
        assertThat(reported(3, 0.5).with(at(9, 0.5)).steps()).hasSize(1);
        assertThat(reported(3, 0.5).endedBy(at(3, 0.5)).steps()).hasSize(1);
    }

    /** However long it lives, and whenever its node reports: no more steps, and their means add up to all that was used. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void stepsAddUpToTheWhole(long seed) {
        Random random = new Random(seed);
        List<double[]> pieces = new ArrayList<>();
        UseSeries series = null;
        double time = 0;
        double used = 0;
        for (int i = 0; i < 1 + random.nextInt(2000); i++) {
            double[] piece = {1 + random.nextInt(30), random.nextDouble()};
            pieces.add(piece);
            time += piece[0];
            used += piece[0] * piece[1];
            series = series == null ? reported(time, used / time) : series.with(at(time, used / time));
        }
        series = series.endedBy(at(time, used / time));

        assertThat(series.steps()).hasSizeLessThanOrEqualTo(UseSeries.MOST);
        double sum = 0;
        double from = 0;
        for (Step step : series.steps()) {
            double end = step.end().toMillis() / 1000.0;
            assertThat(end).isGreaterThan(from);
            double level = step.levels().get(Signal.CPU);
            assertThat(level).isCloseTo(mean(pieces, from, end), within(1e-3));
            sum += level * (end - from);
            from = end;
        }
        assertThat(from).isEqualTo(time);
        assertThat(sum).isCloseTo(used, within(1e-3 * used));
    }

    private static double mean(List<double[]> pieces, double from, double end) {
        double used = 0;
        double begin = 0;
        for (double[] piece : pieces) {
            double overlap = Math.min(end, begin + piece[0]) - Math.max(from, begin);
            used += Math.max(0, overlap) * piece[1];
            begin += piece[0];
        }
        return used / (end - from);
    }

    private static UseSeries reported(double seconds, double cpu) {
        return UseSeries.begin(at(seconds, cpu));
    }

    private static ContainerReport at(double seconds, double cpu) {
        return Reports.running("c1", Duration.ofMillis(Math.round(seconds * 1000)), Vectors.cpu(cpu));
    }
}
