package org.interference.yarn.learn;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.predict.Calibration;
import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;

/**
 * How wrong a model is about each of some observations, in logarithms ({@link LiveError}), as it would be used: with the prior where it
 * refuses, and calibrated by what came before. Immutable.
 */
final class Misses {
    private final double[] misses;
    private final double[] weights;

    private Misses(double[] misses, double[] weights) {
        this.misses = misses;
        this.weights = weights;
    }

    /** @param model empty: the prior alone */
    static Misses of(PriorPredictor prior, Optional<LearnedPredictor> model, List<Observation> observations) {
        LiveCalibration live = new LiveCalibration(prior, OnlineAdaptiveModule.MOST_KINDS);
        double[] misses = new double[observations.size()];
        double[] weights = new double[observations.size()];
        for (int i = 0; i < misses.length; i++) {
            Observation observation = observations.get(i);
            String kind = observation.kind();
            Composition composition =
                    new Composition(prior, model, new Calibration(live.current(kind), Map.of())).of(kind);
            // Who does not know is taken to expect no harm: that is how placement reads it.
            double answer = composition.predict(observation.situation()) instanceof Prediction.Slowdown slowdown
                    ? slowdown.factor()
                    : 1;
            misses[i] = Math.abs(Math.log(answer / observation.label().slowdown()));
            weights[i] = observation.label().weight();
            live.observe(model, observation);
        }
        return new Misses(misses, weights);
    }

    /** Returns the weighted mean. */
    double mean() {
        double sum = 0;
        double mass = 0;
        for (int i = 0; i < misses.length; i++) {
            sum += weights[i] * misses[i];
            mass += weights[i];
        }
        return sum / mass;
    }

    /**
     * Returns whether the weighted mean of the differences, observation by observation, is larger than its standard error.
     *
     * @param others of the same observations
     */
    boolean areClearlyFewerThan(Misses others) {
        double difference = others.mean() - mean();
        double mass = 0;
        double squares = 0;
        for (int i = 0; i < misses.length; i++) {
            double away = weights[i] * (others.misses[i] - misses[i] - difference);
            mass += weights[i];
            squares += away * away;
        }
        return difference > Math.sqrt(squares) / mass;
    }
}
