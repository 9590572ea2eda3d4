package org.interference.yarn.predict;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What the answers of the prior and of the learned model are corrected by, learnt live. Immutable.
 *
 * <p>A prediction {@code S} becomes {@code S^e}, its logarithm times {@code e > 0}: alone stays alone, and more neighbours stay
 * more.
 *
 * @param cluster for tasks of a kind that is not listed
 * @param kinds by the text of the profile's key
 */
public record Calibration(Correction cluster, Map<String, Correction> kinds) {
    /** Nothing was learnt. */
    public static final Calibration NONE = new Calibration(Correction.NONE, Map.of());

    public Calibration {
        Objects.requireNonNull(cluster, "cluster is null");
        kinds = Map.copyOf(kinds);
    }

    /**
     * The exponents for one kind of task.
     *
     * @param prior the exponent of the prior's answer
     * @param learned the exponent of the learned model's
     * @param usesLearned whether the learned model was better lately
     * @param error mean absolute error of the latest answers in logarithms, where 0.1 is a tenth; empty before there are enough
     * @param spread half the width in logarithms of the interval around an answer that nine in ten of what happens fall into; empty before there
     *     are enough
     * @param margin the same for 38 in a hundred, which nodes are left by: nothing is delayed on the word of a predictor that has none
     * @param blindToMemory whether most of what it was learnt from shows nothing of what memory bandwidth and caches cost: then what the
     *     prior says of these alone is a factor of each answer, and not corrected
     */
    public record Correction(
            double prior,
            double learned,
            boolean usesLearned,
            OptionalDouble error,
            OptionalDouble spread,
            OptionalDouble margin,
            boolean blindToMemory) {
        /** Answers are taken as they are. */
        public static final Correction NONE = new Correction(
                1, 1, true, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), false);

        public Correction {
            Objects.requireNonNull(error, "error is null");
            Objects.requireNonNull(spread, "spread is null");
            Objects.requireNonNull(margin, "margin is null");
            if (!(prior > 0 && prior <= Double.MAX_VALUE && learned > 0 && learned <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                        "exponents must be finite and > 0, got %s and %s".formatted(prior, learned));
            }
        }
    }

    Correction of(String kind) {
        return kinds.getOrDefault(kind, cluster);
    }
}
