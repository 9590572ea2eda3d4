package org.interference.yarn.learn;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.interference.yarn.predict.LearnedPredictor;

/**
 * A model that was once the champion. Immutable.
 *
 * @param number grows with each
 * @param examples how many it was trained on
 * @param heldOut how many it was compared by
 * @param error mean absolute error on those, in logarithms of the slowdown
 * @param priorError the prior's on the same
 * @param importance by how much the error rises without a figure, by the figure's name ({@link Importance}); empty of one that an earlier release
 *     trained
 */
public record ModelVersion(
        int number,
        Instant trainedAt,
        LearnedPredictor predictor,
        int examples,
        int heldOut,
        double error,
        double priorError,
        Map<String, Double> importance) {
    public ModelVersion {
        Objects.requireNonNull(trainedAt, "trainedAt is null");
        Objects.requireNonNull(predictor, "predictor is null");
        importance = Map.copyOf(importance);
    }
}
