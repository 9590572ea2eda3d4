package org.interference.yarn.learn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;

/**
 * How much a model's answers stand on each figure: by how much its mean absolute error in logarithms rises on held-out observations when that
 * figure alone is dealt anew among them (Breiman, Random Forests, Machine Learning 45, 2001). What two figures both tell counts for neither.
 */
final class Importance {
    private Importance() {}

    /**
     * Returns the rise of each figure that makes any, by its name in {@link Situation#NAMES}, in their order. Below 0: by chance, the answers were
     * better without.
     *
     * @param heldOut what the model was not trained on, at least one
     * @param error the model's on these as they are
     * @param random deals
     */
    static Map<String, Double> of(
            PriorPredictor prior, LearnedPredictor model, List<Observation> heldOut, double error, Random random) {
        Map<String, Double> rises = new LinkedHashMap<>();
        for (int figure = 0; figure < Situation.NAMES.size(); figure++) {
            double dealt = Misses.of(prior, Optional.of(model), dealt(heldOut, figure, random))
                    .mean();
            if (dealt != error) {
                rises.put(Situation.NAMES.get(figure), dealt - error);
            }
        }
        return rises;
    }

    private static List<Observation> dealt(List<Observation> observations, int figure, Random random) {
        List<Integer> from =
                new ArrayList<>(IntStream.range(0, observations.size()).boxed().toList());
        Collections.shuffle(from, random);
        return IntStream.range(0, observations.size())
                .mapToObj(i -> {
                    Observation observation = observations.get(i);
                    double[] figures = observation.situation().figures().toArray();
                    figures[figure] = observations.get(from.get(i)).situation().figure(figure);
                    return new Observation(
                            observation.at(), observation.kind(), Situation.of(figures), observation.label());
                })
                .toList();
    }
}
