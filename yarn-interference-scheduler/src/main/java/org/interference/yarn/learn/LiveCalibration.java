package org.interference.yarn.learn;

import java.util.HashMap;
import java.util.List;
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
 * <p>Formula: for predictions {@code p} and observations {@code y} of a kind, both as logarithms of slowdowns, and weights {@code w}
 * that fade by {@value #FADING} with each observation, the exponent is {@code e = (sum of w p y + L) / (sum of w p p + L)}: least
 * squares, drawn towards 1. It is used once it has made the error clearly smaller; of the model, the cluster's stands in before. The prior takes over from the model only
 * where it is clearly better, for a kind or for the cluster.
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
    /** The share of what happens that falls into the interval that people are told. */
    static final double TOLD = 0.9;

    /** Errors shrink while a kind is learnt, and hardly any answer is missed: with half of it, an interval of a hundred answers is too wide. */
    static final double TOLD_STEP = 0.05;

    /** The same of the interval that nodes are left by: what half a standard deviation to each side covers of normal errors (ADR-0034). */
    static final double LEFT_BY = 0.38;

    static final double LEFT_BY_STEP = 0.02;

    private static final int KIND_SPAN = 32;
    private static final int CLUSTER_SPAN = 128;
    private static final int KIND_INTERVAL = 64;
    private static final int CLUSTER_INTERVAL = 512;

    private final PriorPredictor prior;
    private Scope cluster = ofWholeCluster();
    private final LiveCover cover = new LiveCover();
    private final Map<String, Scope> kinds;

    /** @param mostKinds kinds that are remembered; those that were seen longest ago are forgotten */
    LiveCalibration(PriorPredictor prior, int mostKinds) {
        this.prior = prior;
        this.kinds = new RecentlyUsed<>(mostKinds);
    }

    /** One predictor in one scope: what corrects it, and how wrong it is with that and without. */
    private static final class Track {
        private final double fading;
        private final LiveError corrected;
        private final LiveError raw;
        private double predictedTimesObserved;
        private double predictedSquared;

        Track(double fading, int span) {
            this.fading = fading;
            this.corrected = new LiveError(span);
            this.raw = new LiveError(span);
        }

        void observe(double predicted, Observation observation) {
            double observed = observation.label().slowdown();
            corrected.add(Math.exp(fitted() * predicted), observed);
            raw.add(Math.exp(predicted), observed);
            double weight = observation.label().weight();
            predictedTimesObserved =
                    fading * predictedTimesObserved + weight * predicted * Math.max(0, Math.log(observed));
            predictedSquared = fading * predictedSquared + weight * predicted * predicted;
        }

        private double fitted() {
            double exponent = (predictedTimesObserved + DRAW) / (predictedSquared + DRAW);
            return Math.max(LEAST_EXPONENT, Math.min(MOST_EXPONENT, exponent));
        }

        /** Returns the exponent if it has shown that it is worth it, and else {@code otherwise}. */
        double exponent(double otherwise) {
            return isWorthIt() ? fitted() : otherwise;
        }

        LiveError error() {
            return isWorthIt() ? corrected : raw;
        }

        private boolean isWorthIt() {
            return corrected.isClearlyLessThan(raw, WORTH_IT);
        }
    }

    /** A kind of task, or the whole cluster. */
    private static final class Scope {
        private final double fading;
        private final int span;
        private final Track prior;
        private final LiveError used;
        private final LiveInterval interval;
        private final LiveInterval decisive;
        private Track learned;
        /** Weights of the labels that show what memory costs, and of all; they fade as the tracks do. */
        private double seeing;

        private double all;

        Scope(double fading, int span, int intervalSpan) {
            this(
                    fading,
                    span,
                    new LiveInterval(intervalSpan, TOLD, TOLD_STEP),
                    new LiveInterval(intervalSpan, LEFT_BY, LEFT_BY_STEP));
        }

        Scope(double fading, int span, LiveInterval interval, LiveInterval decisive) {
            this.interval = interval;
            this.decisive = decisive;
            this.fading = fading;
            this.span = span;
            this.prior = new Track(fading, span);
            this.used = new LiveError(span);
            this.learned = new Track(fading, span);
        }

        void newChampion() {
            learned = new Track(fading, span);
        }

        void heed(Label label) {
            seeing = fading * seeing + (label.source().seesMemory() ? label.weight() : 0);
            all = fading * all + label.weight();
        }

        boolean isBlindToMemory() {
            return seeing < all / 2;
        }

        /** @param elsewhere whether the learned model is used where nothing is known */
        boolean usesLearned(boolean elsewhere) {
            // Both must have shown themselves here.
            return learned.error().isClearlyLessThan(prior.error(), 1)
                    || (!prior.error().isClearlyLessThan(learned.error(), WORTH_IT) && elsewhere);
        }
    }

    /** Learns from an observation how far both predictors were off. */
    void observe(Optional<LearnedPredictor> champion, Observation observation) {
        // A task alone teaches nothing: everybody says 1.
        if (observation.situation().isAlone()) {
            return;
        }
        Scope kind = ofKind(observation);
        kind.heed(observation.label());
        cluster.heed(observation.label());
        log(prior.predict(observation.situation())).ifPresent(predicted -> {
            // What labels say nothing of is not corrected by them.
            double hidden = Math.log(prior.byMemory(observation.situation()));
            kind.prior.observe(kind.isBlindToMemory() ? predicted - hidden : predicted, observation);
            cluster.prior.observe(cluster.isBlindToMemory() ? predicted - hidden : predicted, observation);
        });
        champion.ifPresent(model -> observeLearned(model, observation));
    }

    /** Learns how far {@code model} alone was off. */
    void observeLearned(LearnedPredictor model, Observation observation) {
        if (observation.situation().isAlone()) {
            return;
        }
        // Only where it is asked: what it would say of company that others have met corrects nothing.
        log(model.predict(observation.kind(), observation.situation())).ifPresent(predicted -> {
            ofKind(observation).learned.observe(predicted, observation);
            cluster.learned.observe(predicted, observation);
        });
    }

    /** Notes what was answered about {@code observation} before it was known; of a task alone everybody knows the answer. */
    void answered(Prediction.Slowdown answer, Observation observation) {
        if (observation.situation().isAlone()) {
            return;
        }
        spread(ofKind(observation))
                .ifPresent(
                        told -> cover.add(answer.factor(), observation.label().slowdown(), told));
        wouldHaveAnswered(answer, observation);
    }

    /** Notes what is answered now, by nobody who was taught it, about an {@code observation} of an earlier life. */
    void wouldHaveAnswered(Prediction.Slowdown answer, Observation observation) {
        if (observation.situation().isAlone()) {
            return;
        }
        double observed = observation.label().slowdown();
        for (Scope scope : List.of(ofKind(observation), cluster)) {
            scope.used.add(answer.factor(), observed);
            scope.interval.add(answer.factor(), observed);
            scope.decisive.add(answer.factor(), observed);
        }
    }

    private Scope ofKind(Observation observation) {
        return kinds.computeIfAbsent(observation.kind(), key -> new Scope(FADING, KIND_SPAN, KIND_INTERVAL));
    }

    private static Scope ofWholeCluster() {
        return new Scope(CLUSTER_FADING, CLUSTER_SPAN, CLUSTER_INTERVAL);
    }

    /** A kind of which too little was seen has the cluster's interval. */
    private OptionalDouble spread(Scope kind) {
        return kind.interval.spread().isPresent() ? kind.interval.spread() : cluster.interval.spread();
    }

    private OptionalDouble margin(Scope kind) {
        return kind.decisive.spread().isPresent() ? kind.decisive.spread() : cluster.decisive.spread();
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

    /** Begins anew: the world has changed. How wrong the newest answers were, which have shown it, is what is known of the new one. */
    void forget() {
        cluster = new Scope(CLUSTER_FADING, CLUSTER_SPAN, cluster.interval.ofNewest(), cluster.decisive.ofNewest());
        kinds.clear();
    }

    /** Returns what was learnt so far. */
    Calibration current() {
        Calibration.Correction ofCluster = ofCluster();
        Map<String, Calibration.Correction> ofKinds = new HashMap<>();
        kinds.forEach((kind, scope) -> ofKinds.put(kind, correction(scope, ofCluster)));
        return new Calibration(ofCluster, ofKinds);
    }

    /** Returns what {@link #current} has for one kind. */
    Calibration.Correction current(String kind) {
        // Not get(): asking is not seeing.
        return kinds.containsKey(kind) ? correction(kinds.get(kind), ofCluster()) : ofCluster();
    }

    /**
     * What corrects the prior for one kind is wrong for another: it errs by resource. What corrects the model holds for all, because it
     * was right for all when it was trained.
     */
    private Calibration.Correction ofCluster() {
        return new Calibration.Correction(
                1,
                cluster.learned.exponent(1),
                cluster.usesLearned(true),
                cluster.used.mean(),
                cluster.interval.spread(),
                cluster.decisive.spread(),
                cluster.isBlindToMemory());
    }

    private Calibration.Correction correction(Scope kind, Calibration.Correction ofCluster) {
        return new Calibration.Correction(
                kind.prior.exponent(1),
                kind.learned.exponent(ofCluster.learned()),
                kind.usesLearned(ofCluster.usesLearned()),
                kind.used.mean().isPresent() ? kind.used.mean() : ofCluster.error(),
                spread(kind),
                margin(kind),
                kind.isBlindToMemory());
    }

    /** Returns what share of observations fell into the interval that was told before; a drift does not begin it anew. */
    OptionalDouble cover() {
        return cover.share();
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
