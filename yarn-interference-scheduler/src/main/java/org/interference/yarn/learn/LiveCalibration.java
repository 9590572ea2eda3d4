package org.interference.yarn.learn;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.predict.Calibration;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;

/**
 * Keeps prior and champion calibrated, and their live error, per kind of task and for the cluster. Not thread-safe.
 *
 * <p>Formula: for predictions {@code p} and observations {@code y}, both as logarithms of slowdowns, and weights {@code w} that
 * fade by {@value #FADING} with each observation of the kind, the exponent is {@code e = (sum of w p y + L c) / (sum of w p p +
 * L)}: least squares, drawn towards the cluster's exponent {@code c}, and that towards 1. It is used once it has made the
 * error clearly smaller than the wider one would have; what a kind has not shown yet is the cluster's, and what that has not
 * shown is 1. The prior takes over only where it is clearly better.
 */
final class LiveCalibration {
    private static final double FADING = 0.97;
    private static final double CLUSTER_FADING = 0.998;
    /** In squared logarithms: about ten observations of a slowdown of 1.25. */
    private static final double DRAW = 0.5;

    /** A correction, or the prior in place of the model, must make the error so much smaller; else it is noise. */
    private static final double WORTH_IT = 0.85;

    private static final double LEAST_EXPONENT = 0.25;
    private static final double MOST_EXPONENT = 4;
    private static final int KIND_SPAN = 32;
    private static final int CLUSTER_SPAN = 128;

    private final PriorPredictor prior = new PriorPredictor();
    private Scope cluster = new Scope(CLUSTER_FADING, CLUSTER_SPAN);
    private final Map<String, Scope> kinds;

    /** @param mostKinds kinds that are remembered; those that were seen longest ago are forgotten */
    LiveCalibration(int mostKinds) {
        this.kinds = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Scope> eldest) {
                return size() > mostKinds;
            }
        };
    }

    /** One predictor in one scope: what corrects it, and how wrong it is with its own correction and with the wider scope's. */
    private static final class Track {
        private final double fading;
        private final LiveError own;
        private final LiveError wider;
        private double predictedTimesObserved;
        private double predictedSquared;

        Track(double fading, int span) {
            this.fading = fading;
            this.own = new LiveError(span);
            this.wider = new LiveError(span);
        }

        void observe(double predicted, Observation observation, double towards) {
            double observed = observation.label().slowdown();
            own.add(Math.exp(fitted(towards) * predicted), observed);
            wider.add(Math.exp(towards * predicted), observed);
            double weight = observation.label().weight();
            predictedTimesObserved = fading * predictedTimesObserved + weight * predicted * Math.max(0, Math.log(observed));
            predictedSquared = fading * predictedSquared + weight * predicted * predicted;
        }

        private double fitted(double towards) {
            double exponent = (predictedTimesObserved + DRAW * towards) / (predictedSquared + DRAW);
            return Math.max(LEAST_EXPONENT, Math.min(MOST_EXPONENT, exponent));
        }

        /** Returns the scope's own exponent if it has shown that it is worth it, and else that of the wider scope. */
        double exponent(double towards) {
            return isOwn() ? fitted(towards) : towards;
        }

        LiveError error() {
            return isOwn() ? own : wider;
        }

        private boolean isOwn() {
            return own.isClearlyLessThan(wider, WORTH_IT);
        }
    }

    /** A kind of task, or the whole cluster. */
    private static final class Scope {
        private final double fading;
        private final int span;
        private final Track prior;
        private final LiveError used;
        private Track learned;

        Scope(double fading, int span) {
            this.fading = fading;
            this.span = span;
            this.prior = new Track(fading, span);
            this.used = new LiveError(span);
            this.learned = new Track(fading, span);
        }

        void newChampion() {
            learned = new Track(fading, span);
        }

        Calibration.Correction correction(Calibration.Correction towards) {
            // Both must have shown themselves here; until then what holds for the cluster holds.
            boolean usesLearned = learned.error().isClearlyLessThan(prior.error(), 1)
                    || (!prior.error().isClearlyLessThan(learned.error(), WORTH_IT) && towards.usesLearned());
            return new Calibration.Correction(
                    prior.exponent(towards.prior()), learned.exponent(towards.learned()), usesLearned, used.mean());
        }
    }

    /** Learns from an observation how far both predictors were off. */
    void observe(Optional<LearnedPredictor> champion, Observation observation) {
        Scope kind = kinds.computeIfAbsent(observation.kind(), key -> new Scope(FADING, KIND_SPAN));
        Calibration.Correction ofCluster = cluster.correction(Calibration.Correction.NONE);
        // A task alone teaches nothing: everybody says 1.
        if (observation.situation().isAlone()) {
            return;
        }
        log(prior.predict(observation.situation())).ifPresent(predicted -> {
            kind.prior.observe(predicted, observation, ofCluster.prior());
            cluster.prior.observe(predicted, observation, 1);
        });
        champion.ifPresent(model -> log(model.predict(observation.situation())).ifPresent(predicted -> {
            kind.learned.observe(predicted, observation, ofCluster.learned());
            cluster.learned.observe(predicted, observation, 1);
        }));
    }

    /** Notes what was answered about {@code observation} before it was known. */
    void answered(double answer, Observation observation) {
        double observed = observation.label().slowdown();
        kinds.computeIfAbsent(observation.kind(), key -> new Scope(FADING, KIND_SPAN))
                .used
                .add(answer, observed);
        cluster.used.add(answer, observed);
    }

    private static OptionalDouble log(Prediction prediction) {
        return prediction instanceof Prediction.Slowdown slowdown
                ? OptionalDouble.of(Math.log(slowdown.factor()))
                : OptionalDouble.empty();
    }

    /** Forgets what was known of the champion before. */
    void newChampion() {
        cluster.newChampion();
        kinds.values().forEach(Scope::newChampion);
    }

    /** Begins anew: the world has changed. */
    void forget() {
        cluster = new Scope(CLUSTER_FADING, CLUSTER_SPAN);
        kinds.clear();
    }

    /** Returns what was learnt so far. */
    Calibration current() {
        Calibration.Correction ofCluster = cluster.correction(Calibration.Correction.NONE);
        Map<String, Calibration.Correction> ofKinds = new HashMap<>();
        kinds.forEach((kind, scope) -> ofKinds.put(kind, scope.correction(ofCluster)));
        return new Calibration(ofCluster, ofKinds);
    }

    /** Returns what {@link #current} has for one kind. */
    Calibration.Correction current(String kind) {
        Calibration.Correction ofCluster = cluster.correction(Calibration.Correction.NONE);
        // Not get(): asking is not seeing.
        return kinds.containsKey(kind) ? kinds.get(kind).correction(ofCluster) : ofCluster;
    }

    OptionalDouble priorError() {
        return cluster.prior.error().mean();
    }

    OptionalDouble learnedError() {
        return cluster.learned.error().mean();
    }

    OptionalDouble usedError() {
        return cluster.used.mean();
    }
}
