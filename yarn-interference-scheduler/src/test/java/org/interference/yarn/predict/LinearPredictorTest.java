package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class LinearPredictorTest extends LearnedPredictorLaws {
    @Override
    protected Trainer trainer() {
        return new LinearTrainer();
    }

    @Test
    void fairShareOfACapacityThatNobodyNamedIsFound() {
        // Two CPUs' worth of levels, but only half of that may be used: a quota.
        List<Example> examples = new ArrayList<>();
        for (double own = 0.1; own <= 0.5; own += 0.1) {
            for (double beside = 0; beside <= 0.5; beside += 0.1) {
                double share = Math.max(0.5 - beside, 0.25);
                examples.add(example(own, beside, Math.max(1, own / share)));
            }
        }

        LinearModel model = new LinearTrainer().train(examples);

        assertThat(model.capacities()[Situation.place(Signal.CPU)]).isCloseTo(0.5, within(1e-9));
        assertThat(Math.exp(model.logSlowdown(example(0.5, 0.5, 1).situation())))
                .isCloseTo(2, within(0.02));
    }

    @Test
    void nothingIsLearntFromTasksThatNothingDisturbed() {
        LinearModel model = new LinearTrainer().train(List.of(example(0.5, 0, 1), example(0.5, 0.5, 1)));

        assertThat(model.coefficients()).containsOnly(0);
    }

    @Test
    void noCoefficientIsNegativeHoweverMuchNeighboursSeemToHelp() {
        Random random = new Random(1);
        List<Example> examples = CoRuns.examples(random, CoRuns.kinds(random, 6), 200).stream()
                .map(example -> new Example(example.situation(), 1 / example.slowdown(), 1))
                .toList();

        assertThat(Arrays.stream(new LinearTrainer().train(examples).coefficients())
                        .min())
                .hasValue(0);
    }

    @Test
    void weightCountsAsThatManyExamples() {
        Example light = example(0.5, 0.5, 1.2);
        Example heavy = example(0.5, 0.5, 2);

        LinearModel weighted = new LinearTrainer().train(List.of(light, new Example(heavy.situation(), 2, 3)));
        LinearModel repeated = new LinearTrainer().train(List.of(light, heavy, heavy, heavy));

        assertThat(weighted.logSlowdown(light.situation()))
                .isCloseTo(repeated.logSlowdown(light.situation()), within(1e-9));
    }

    private static Example example(double own, double beside, double slowdown) {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, own));
        List<InterferenceVector> neighbours = beside == 0 ? List.of() : List.of(Vectors.cpu(beside));
        return new Example(Situation.of(task, Neighbours.of(neighbours)), slowdown, 1);
    }
}
