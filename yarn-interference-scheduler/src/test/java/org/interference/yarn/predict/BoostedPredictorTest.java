package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.interference.yarn.fixture.CoRuns;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoostedPredictorTest extends LearnedPredictorLaws {
    @Override
    protected Trainer trainer() {
        return new BoostedTrainer(PriorPredictor.PUBLISHED);
    }

    @Test
    void weightCountsAsThatManyExamples() {
        Random random = new Random(5);
        List<Example> some = CoRuns.examples(random, CoRuns.kinds(random, 4), 40);
        Example last = some.get(39);
        List<Example> repeated = new ArrayList<>(some);
        repeated.add(last);
        List<Example> weighted = new ArrayList<>(some.subList(0, 39));
        weighted.add(new Example(last.situation(), last.slowdown(), 2));

        double one =
                new BoostedTrainer(PriorPredictor.PUBLISHED).train(repeated).logSlowdown(last.situation());
        double other =
                new BoostedTrainer(PriorPredictor.PUBLISHED).train(weighted).logSlowdown(last.situation());

        assertThat(one).isCloseTo(other, within(1e-6));
    }

    /** As on a busy cluster, where nobody is ever seen with hardly anybody beside. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void kindThatWasOnlySeenInHeavyCompanyHardlySuffersFromLightOne(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> kinds = CoRuns.kinds(random, 6);
        List<Example> heavy = CoRuns.examples(random, kinds, 2000).stream()
                .filter(example -> example.slowdown() > 1.5)
                .toList();
        BoostedModel model = new BoostedTrainer(PriorPredictor.PUBLISHED).train(heavy);
        Neighbours light = Neighbours.of(List.of(Vectors.of(Signal.CPU, 0.02)));

        assertThat(kinds).allSatisfy(kind -> assertThat(Math.exp(model.logSlowdown(Situation.of(kind, light))))
                .isLessThan(1.3));
    }

    @Test
    void forestThatGoesInCirclesIsRefused() {
        int[] root = {0};
        int[] split = {1, 1, Forest.LEAF};
        double[] values = {0, 0, 0};

        assertThatThrownBy(() -> Forest.of(2, root, split, new int[] {1, 0, 0}, values))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 1 of the forest is broken");
    }

    @Test
    void forestThatAsksForAFigureThatThereIsNotIsRefused() {
        assertThatThrownBy(() -> Forest.of(2, new int[] {0}, new int[] {2, -1, -1}, new int[] {1, 0, 0}, new double[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
