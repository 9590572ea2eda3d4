package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForestTest {
    private static final int INPUTS = 5;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void treesOfOneDepthSayWhatEachSaysByItself(long seed) {
        Random random = new Random(seed);
        Forest forest = random(random, random.nextInt(9), random.nextInt(20));

        for (int i = 0; i < 50; i++) {
            double[] inputs = inputs(random);
            assertThat(forest.sum(inputs)).isEqualTo(forest.sumOfWalks(inputs));
        }
    }

    @Test
    void whatIsNotANumberIsAboveEveryThreshold() {
        Forest.Builder trees = new Forest.Builder(1);
        int root = trees.root();
        int first = trees.split(root, 0, Double.MAX_VALUE);
        trees.value(first, 1);
        trees.value(first + 1, 2);

        assertThat(trees.build().sum(new double[] {Double.NaN})).isEqualTo(2);
    }

    /** Each tree ends where chance has it; none is deeper than {@code deepest}. */
    private static Forest random(Random random, int deepest, int trees) {
        Forest.Builder forest = new Forest.Builder(INPUTS);
        for (int i = 0; i < trees; i++) {
            grow(forest, forest.root(), random, deepest);
        }
        return forest.build();
    }

    private static void grow(Forest.Builder forest, int node, Random random, int left) {
        if (left == 0 || random.nextInt(4) == 0) {
            forest.value(node, random.nextGaussian());
            return;
        }
        int first = forest.split(node, random.nextInt(INPUTS), threshold(random));
        grow(forest, first, random, left - 1);
        grow(forest, first + 1, random, left - 1);
    }

    private static double[] inputs(Random random) {
        double[] inputs = new double[INPUTS];
        for (int i = 0; i < INPUTS; i++) {
            inputs[i] = random.nextInt(4) == 0 ? Double.NaN : threshold(random);
        }
        return inputs;
    }

    /** One of few, so that inputs are at thresholds, too. */
    private static double threshold(Random random) {
        return random.nextInt(7) - 3;
    }
}
