package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LiveIntervalTest {
    private static final int OBSERVED = 3000;

    static List<Long> seeds() {
        return new Random(90).longs(20).boxed().toList();
    }

    /** Whatever the errors look like: hardly any, cliffs, all on one side, and all of these in turn. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void asManyFallIntoTheIntervalThatWasToldBeforeAsShould(long seed) {
        List<ToDoubleFunction<Random>> errors = List.of(
                random -> 0.05 * random.nextGaussian(),
                random -> random.nextInt(20) == 0 ? 2 * random.nextDouble() : 0.02 * random.nextGaussian(),
                random -> -Math.log(random.nextDouble()) * 0.3,
                random -> Math.pow(random.nextDouble(), 8));

        for (double share : new double[] {LiveCalibration.TOLD, LiveCalibration.LEFT_BY}) {
            double step = share == LiveCalibration.TOLD ? LiveCalibration.TOLD_STEP : LiveCalibration.LEFT_BY_STEP;
            for (ToDoubleFunction<Random> error : errors) {
                assertThat(cover(new Random(seed), OBSERVED, new LiveInterval(64, share, step), error))
                        .isCloseTo(share, within(0.02));
                assertThat(cover(new Random(seed), OBSERVED, new LiveInterval(512, share, step), error))
                        .isCloseTo(share, within(0.02));
            }
            assertThat(cover(new Random(seed), OBSERVED, new LiveInterval(64, share, step), random -> errors.get(
                                    random.nextInt(errors.size()))
                            .applyAsDouble(random)))
                    .isCloseTo(share, within(0.02));
        }
    }

    /** Of a model that learns, whose errors are soon a third of the first, what is told of 60 kinds is right before they are old. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void asManyFallIntoTheIntervalWhileErrorsShrinkAsShould(long seed) {
        Random random = new Random(seed);
        double inside = 0;
        for (int kind = 0; kind < 60; kind++) {
            LiveInterval interval = new LiveInterval(64, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
            int[] answers = {0};
            inside += cover(
                    random, 150, interval, any -> any.nextGaussian() * (0.1 + 0.2 * Math.exp(-answers[0]++ / 40.0)));
        }

        assertThat(inside / 60).isCloseTo(LiveCalibration.TOLD, within(0.015));
    }

    @Test
    void ofTheNewestIsWhatHasComeSinceTheWorldChanged() {
        LiveInterval interval = new LiveInterval(512, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
        for (int i = 0; i < 300; i++) {
            interval.add(1, Math.exp(0.1));
        }
        for (int i = 0; i < 20; i++) {
            interval.add(1, Math.exp(0.7));
        }

        assertThat(interval.ofNewest().spread().orElseThrow()).isCloseTo(0.7, within(1e-9));
    }

    @Test
    void ofTooFewThereIsNoneHoweverNew() {
        LiveInterval interval = new LiveInterval(512, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
        for (int i = 0; i < 19; i++) {
            interval.add(1, 2);
        }

        assertThat(interval.ofNewest().spread()).isEmpty();
    }

    /** The world changes for the worse: the interval must not stay what it was. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void intervalFollowsErrorsThatGrow(long seed) {
        Random random = new Random(seed);
        LiveInterval interval = new LiveInterval(64, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
        for (int i = 0; i < 500; i++) {
            interval.add(Math.exp(0.05 * random.nextGaussian()), 1);
        }
        double before = interval.spread().orElseThrow();
        int missed = 0;

        for (int i = 0; i < 300; i++) {
            double predicted = Math.exp(0.25 * random.nextGaussian());
            missed += Math.abs(Math.log(predicted)) > interval.spread().orElseThrow() ? 1 : 0;
            interval.add(predicted, 1);
        }

        assertThat(interval.spread().orElseThrow()).isGreaterThan(3 * before);
        assertThat(missed).isLessThan(70);
    }

    /** However often the same errors come, and in whatever order. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oldAnswersAreForgotten(long seed) {
        Random random = new Random(seed);
        LiveInterval longLived = new LiveInterval(32, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
        for (int i = 0; i < 500; i++) {
            longLived.add(Math.exp(random.nextInt(4)), 1);
        }

        for (int i = 0; i < 32; i++) {
            longLived.add(Math.exp(0.25), 1);
        }

        assertThat(longLived.spread().orElseThrow()).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void ofAFewAnswersNothingIsTold() {
        LiveInterval interval = new LiveInterval(64, LiveCalibration.TOLD, LiveCalibration.TOLD_STEP);
        for (int i = 0; i < 19; i++) {
            interval.add(1.1, 1);
        }
        assertThat(interval.spread()).isEmpty();

        interval.add(1.1, 1);

        assertThat(interval.spread().orElseThrow()).isCloseTo(Math.log(1.1), within(1e-12));
    }

    /** Errors that are half a standard deviation or less, of normal ones. */
    @Test
    void nodesAreLeftByHalfAStandardDeviationOfNormalErrors() {
        Random random = new Random(1);
        LiveInterval interval = new LiveInterval(10_000, LiveCalibration.LEFT_BY, LiveCalibration.LEFT_BY_STEP);
        for (int i = 0; i < 20_000; i++) {
            interval.add(Math.exp(0.2 * random.nextGaussian()), 1);
        }

        assertThat(interval.spread().orElseThrow()).isCloseTo(0.1, within(0.01));
    }

    private static double cover(Random random, int observed, LiveInterval interval, ToDoubleFunction<Random> error) {
        int told = 0;
        int inside = 0;
        for (int i = 0; i < observed; i++) {
            double miss = error.applyAsDouble(random);
            if (interval.spread().isPresent()) {
                told++;
                inside += Math.abs(miss) <= interval.spread().getAsDouble() ? 1 : 0;
            }
            interval.add(Math.exp(miss), 1);
        }
        return (double) inside / told;
    }
}
