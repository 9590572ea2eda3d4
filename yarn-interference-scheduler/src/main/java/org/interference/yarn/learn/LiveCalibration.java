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
 * L)}: least squares, drawn towards the cluster's exponent {@code c}, and that towards 1. What a kind has not shown yet is
 * the cluster's.
 */
final class LiveCalibration {
    private static final double FADING = 0.97;
    private static final double CLUSTER_FADING = 0.998;
    /** In squared logarithms: about ten observations of a slowdown of 1.25. */
    private static final double DRAW = 0.5;

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

    /** The sums of one predictor in one scope. */
    private static final class Sums {
        private double predictedTimesObserved;
        private double predictedSquared;

        void add(double predicted, double observed, double weight, double fading) {
            predictedTimesObserved = fading * predictedTimesObserved + weight * predicted * observed;
            predictedSquared = fading * predictedSquared + weight * predicted * predicted;
        }

        double exponent(double towards) {
            double exponent = (predictedTimesObserved + DRAW * towards) / (predictedSquared + DRAW);
            return Math.max(LEAST_EXPONENT, Math.min(MOST_EXPONENT, exponent));
        }
    }

    /** A kind of task, or the whole cluster. */
    private static final class Scope {
        private final double fading;
        private final int span;
        private final Sums prior = new Sums();
        private final LiveError priorError;
        private final LiveError used;
        private Sums learned = new Sums();
        private LiveError learnedError;

        Scope(double fading, int span) {
            this.fading = fading;
            this.span = span;
            this.priorError = new LiveError(span);
            this.used = new LiveError(span);
            this.learnedError = new LiveError(span);
        }

        void newChampion() {
            learned = new Sums();
            learnedError = new LiveError(span);
        }

        Calibration.Correction correction(Calibration.Correction towards) {
            // Both must have shown themselves here; until then what holds for the cluster holds.
            boolean usesLearned = priorError.isLargerThan(learnedError)
                    || (!learnedError.isLargerThan(priorError) && towards.usesLearned());
            return new Calibration.Correction(
                    prior.exponent(towards.prior()), learned.exponent(towards.learned()), usesLearned, used.mean());
        }
    }

    /** Learns from an observation how far both predictors were off. */
    void observe(Optional<LearnedPredictor> champion, Observation observation) {
        Scope kind = kinds.computeIfAbsent(observation.kind(), key -> new Scope(FADING, KIND_SPAN));
        Calibration.Correction ofCluster = cluster.correction(Calibration.Correction.NONE);
        Calibration.Correction ofKind = kind.correction(ofCluster);
        double observed = observation.label().slowdown();
        double logObserved = Math.max(0, Math.log(observed));
        double weight = observation.label().weight();
        OptionalDouble byPrior = log(prior.predict(observation.situation()));
        OptionalDouble byChampion =
                champion.isEmpty() ? OptionalDouble.empty() : log(champion.get().predict(observation.situation()));
        // A neighbour-free task teaches nothing: everybody says 1.
        if (!observation.situation().isAlone()) {
            byPrior.ifPresent(log -> {
                double answer = Math.exp(ofKind.prior() * log);
                kind.priorError.add(answer, observed);
                cluster.priorError.add(answer, observed);
                kind.prior.add(log, logObserved, weight, kind.fading);
                cluster.prior.add(log, logObserved, weight, cluster.fading);
            });
            byChampion.ifPresent(log -> {
                double answer = Math.exp(ofKind.learned() * log);
                kind.learnedError.add(answer, observed);
                cluster.learnedError.add(answer, observed);
                kind.learned.add(log, logObserved, weight, kind.fading);
                cluster.learned.add(log, logObserved, weight, cluster.fading);
            });
        }
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
        return cluster.priorError.mean();
    }

    OptionalDouble learnedError() {
        return cluster.learnedError.mean();
    }

    OptionalDouble usedError() {
        return cluster.used.mean();
    }
}
