package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link SlowdownPredictor} promises, checked over seeds. The test of every predictor extends this class; what it
 * adds itself is only what is special to that predictor.
 */
abstract class SlowdownPredictorLaws {
    private static final double ALONE = 1.0;

    /** Returns a new predictor that has answered nothing yet. */
    protected abstract SlowdownPredictor predictor();

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyQuestionIsAnsweredByASlowdownOfAtLeastOneOrByUnknown(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = Vectors.random(random);
        List<InterferenceVector> neighbours = Vectors.random(random, random.nextInt(50));

        Prediction prediction = predictor().predict(task, Neighbours.of(neighbours));

        if (prediction instanceof Prediction.Slowdown slowdown) {
            assertThat(slowdown.factor()).isFinite().isGreaterThanOrEqualTo(ALONE);
        } else {
            assertThat(((Prediction.Unknown) prediction).reason()).isNotBlank();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void taskAloneIsNotSlowedDown(long seed) {
        InterferenceVector task = Vectors.random(new Random(seed));

        Prediction prediction = predictor().predict(task, Neighbours.NONE);

        if (prediction instanceof Prediction.Slowdown slowdown) {
            assertThat(slowdown.factor()).isEqualTo(ALONE);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneMoreNeighbourNeverLowersThePrediction(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = Vectors.random(random);
        List<InterferenceVector> few = Vectors.random(random, random.nextInt(8));
        List<InterferenceVector> more = new ArrayList<>(few);
        more.add(Vectors.random(random));

        Prediction before = predictor().predict(task, Neighbours.of(few));
        Prediction after = predictor().predict(task, Neighbours.of(more));

        if (before instanceof Prediction.Slowdown && after instanceof Prediction.Slowdown) {
            assertThat(factor(after)).isGreaterThanOrEqualTo(factor(before));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orderOfTheNeighboursDoesNotMatter(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = Vectors.random(random);
        List<InterferenceVector> neighbours = Vectors.random(random, 2 + random.nextInt(8));
        List<InterferenceVector> shuffled = new ArrayList<>(neighbours);
        Collections.shuffle(shuffled, random);

        Prediction one = predictor().predict(task, Neighbours.of(neighbours));
        Prediction other = predictor().predict(task, Neighbours.of(shuffled));

        assertThat(other).hasSameClassAs(one);
        if (one instanceof Prediction.Slowdown) {
            // Equal but for the last bits of a sum, which no caller may rest a choice on.
            assertThat(factor(other)).isCloseTo(factor(one), withinPercentage(1e-9));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neighbourOfWhomNothingIsKnownChangesNothing(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = Vectors.random(random);
        List<InterferenceVector> neighbours = Vectors.random(random, random.nextInt(8));
        List<InterferenceVector> withOneMore = new ArrayList<>(neighbours);
        withOneMore.add(InterferenceVector.EMPTY);

        assertThat(predictor().predict(task, Neighbours.of(withOneMore)))
                .isEqualTo(predictor().predict(task, Neighbours.of(neighbours)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void withOneNeighbourMoreItSaysWhatItPredictsForThem(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> neighbours = Vectors.random(random, random.nextInt(8));
        Situation situation = Situation.of(Vectors.random(random), Neighbours.of(neighbours));
        Pressure pressure = Pressure.of(Vectors.random(random));

        double slowdown = predictor().slowdown(situation, pressure);

        if (predictor().predict(situation.with(pressure)) instanceof Prediction.Slowdown known) {
            assertThat(slowdown).isEqualTo(known.factor());
        } else {
            assertThat(slowdown).isNaN();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void answerDependsOnTheQuestionAloneAndNotOnEarlierOnes(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = Vectors.random(random);
        List<InterferenceVector> neighbours = List.copyOf(Vectors.random(random, random.nextInt(8)));
        SlowdownPredictor asked = predictor();
        Prediction first = asked.predict(task, Neighbours.of(neighbours));
        for (int i = 0; i < 20; i++) {
            asked.predict(Vectors.random(random), Neighbours.of(Vectors.random(random, random.nextInt(8))));
        }

        assertThat(asked.predict(task, Neighbours.of(neighbours)))
                .isEqualTo(first)
                .isEqualTo(predictor().predict(task, Neighbours.of(neighbours)));
    }

    static double factor(Prediction prediction) {
        return prediction instanceof Prediction.Slowdown slowdown
                ? slowdown.factor()
                : fail("expected a slowdown, got %s", prediction);
    }
}
