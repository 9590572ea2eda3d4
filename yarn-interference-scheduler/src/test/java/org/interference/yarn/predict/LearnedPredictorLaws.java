package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Random;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every trained model keeps, however noisy what it was trained on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LearnedPredictorLaws extends SlowdownPredictorLaws {
    private LearnedPredictor trained;

    protected abstract Trainer trainer();

    @Override
    protected SlowdownPredictor predictor() {
        if (trained == null) {
            trained = learned(CoRuns.anything(new Random(17), 600));
        }
        return trained;
    }

    private LearnedPredictor learned(List<Example> examples) {
        Trainer trainer = trainer();
        return new LearnedPredictor(trainer.name(), trainer.train(examples), Domain.of(examples));
    }

    /** The laws' random tasks are mostly outside the domain; these are inside. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void insideItsDomainOneMoreNeighbourNeverLowersThePrediction(long seed) {
        Random random = new Random(seed);
        InterferenceVector task = task(random);
        List<InterferenceVector> few = Vectors.random(random, random.nextInt(4));
        List<InterferenceVector> more = new ArrayList<>(few);
        more.add(Vectors.random(random));

        Prediction before = predictor().predict(task, Neighbours.of(few));
        Prediction after = predictor().predict(task, Neighbours.of(more));

        assertThat(before).isInstanceOf(Prediction.Slowdown.class);
        if (after instanceof Prediction.Slowdown) {
            assertThat(factor(after)).isGreaterThanOrEqualTo(factor(before));
        }
    }

    private static InterferenceVector task(Random random) {
        return CoRuns.kinds(random, 3).get(random.nextInt(3));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slowdownsOfAnInventedNodeAreLearntToATenth(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 12);
        LearnedPredictor predictor = learned(CoRuns.examples(random, kinds, 1500));

        double error = 0;
        int asked = 0;
        for (Example example : CoRuns.examples(random, kinds, 300)) {
            if (predictor.predict(example.situation()) instanceof Prediction.Slowdown answer) {
                error += Math.abs(answer.factor() / example.slowdown() - 1);
                asked++;
            }
        }

        assertThat(asked).isGreaterThan(290);
        assertThat(error / asked).isLessThan(0.10);
    }

    @Test
    void sameExamplesGiveTheSameModel() {
        List<Example> examples = CoRuns.examples(new Random(3), CoRuns.kinds(new Random(3), 6), 300);

        LearnedPredictor one = learned(examples);
        LearnedPredictor other = learned(examples);

        assertThat(examples).allMatch(asked -> one.predict(asked.situation()).equals(other.predict(asked.situation())));
    }

    @Test
    void taskUnlikeAnySeenIsNotPredicted() {
        Random random = new Random(4);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
        LearnedPredictor predictor = learned(CoRuns.examples(random, kinds, 300));

        Prediction prediction = predictor.predict(Vectors.of(Signal.CPU, 7), Neighbours.of(kinds.subList(0, 2)));

        assertThat(prediction).isInstanceOf(Prediction.Unknown.class);
        assertThat(((Prediction.Unknown) prediction).reason()).startsWith("own.");
    }

    @Test
    void moreNeighboursThanEverSeenAreNotPredicted() {
        Random random = new Random(4);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
        LearnedPredictor predictor = learned(CoRuns.examples(random, kinds, 300));

        Prediction prediction = predictor.predict(kinds.get(0), Neighbours.of(CoRuns.neighbours(random, kinds, 30)));

        assertThat(prediction).isInstanceOf(Prediction.Unknown.class);
        assertThat(((Prediction.Unknown) prediction).reason()).startsWith("beside.");
    }

    @Test
    void signalThatTheExamplesHaveAndTheTaskLacksMakesItUnknown() {
        Random random = new Random(4);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
        LearnedPredictor predictor = learned(CoRuns.examples(random, kinds, 300));

        assertThat(predictor.predict(Vectors.cpu(0.5), Neighbours.of(kinds))).isInstanceOf(Prediction.Unknown.class);
    }

    @Test
    void signalThatTheExamplesLackTakesNoPart() {
        Random random = new Random(4);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
        LearnedPredictor predictor = learned(CoRuns.examples(random, kinds, 300));
        List<InterferenceVector> neighbours = kinds.subList(0, 2);
        List<InterferenceVector> pressing =
                neighbours.stream().map(kind -> with(kind, Signal.MBW, 0.9)).toList();

        assertThat(predictor.predict(with(kinds.get(0), Signal.MBW, 0.9), Neighbours.of(pressing)))
                .isEqualTo(predictor.predict(kinds.get(0), Neighbours.of(neighbours)));
    }

    private static InterferenceVector with(InterferenceVector vector, Signal signal, double level) {
        EnumMap<Signal, Double> levels = new EnumMap<>(vector.levels());
        levels.put(signal, level);
        return new InterferenceVector(levels);
    }
}
