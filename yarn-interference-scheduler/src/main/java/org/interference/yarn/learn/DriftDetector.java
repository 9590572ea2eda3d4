package org.interference.yarn.learn;

import java.util.List;
import java.util.OptionalDouble;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.Prediction;

/** Notices that predictions have become worse than the champion's were when it was compared. Not thread-safe. */
final class DriftDetector {
    /** In logarithms of a slowdown: a rise of the mean error by 5 % is no drift; thirty errors larger by 15 % are one. */
    private static final double TOLERANCE = 0.05;

    private static final double THRESHOLD = 3.0;
    /** A larger error says no more: on a cliff, as of a disk queue, a single one is ten times as large as all others. */
    private static final double LARGEST_MISS = 0.5;

    private final PageHinkley misses = new PageHinkley(TOLERANCE, THRESHOLD);
    private long drifts;

    /** Takes what was answered about {@code observation} before it was known, and returns whether that shows a drift. */
    boolean shows(Prediction.Slowdown answer, Observation observation) {
        boolean drift = misses.rises(miss(answer, observation));
        if (drift) {
            drifts++;
        }
        return drift;
    }

    /** Begins anew: errors as {@code current} makes about these are no drift. */
    void expect(Composition current, List<Observation> heldOut) {
        double expected = heldOut.stream()
                .flatMapToDouble(observation -> miss(current.of(observation.kind()), observation).stream())
                .average()
                .orElse(0);
        misses.expect(expected, heldOut.size());
    }

    private static OptionalDouble miss(Composition asked, Observation observation) {
        return asked.predict(observation.situation()) instanceof Prediction.Slowdown answer
                ? OptionalDouble.of(miss(answer, observation))
                : OptionalDouble.empty();
    }

    /** Returns the absolute error in logarithms, at most {@value #LARGEST_MISS}. */
    private static double miss(Prediction.Slowdown answer, Observation observation) {
        double miss = Math.abs(Math.log(answer.factor() / observation.label().slowdown()));
        return Math.min(LARGEST_MISS, miss);
    }

    /** Returns how many there were. */
    long drifts() {
        return drifts;
    }
}
