package org.interference.yarn.predict;

import java.util.Objects;

/** What a predictor may answer. "Unknown" is an answer, so nobody invents a number for it. */
public sealed interface Prediction {
    /** Run time next to the neighbours over run time alone; 1.0 is no interference. */
    record Slowdown(double factor) implements Prediction {
        static final double HIGHEST = 1e9;

        public Slowdown {
            if (!(factor >= 1.0 && Double.isFinite(factor))) {
                throw new IllegalArgumentException("slowdown factor must be finite and >= 1.0, got " + factor);
            }
        }

        /** Returns {@code factor} as an answer: nobody tells those apart that are as good as infinite. */
        static Slowdown bounded(double factor) {
            return new Slowdown(Math.min(HIGHEST, factor));
        }
    }

    /** No prediction, and why. */
    record Unknown(String reason) implements Prediction {
        public Unknown {
            Objects.requireNonNull(reason, "reason is null");
        }
    }
}
