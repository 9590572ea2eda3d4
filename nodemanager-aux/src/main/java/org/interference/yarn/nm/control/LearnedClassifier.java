package org.interference.yarn.nm.control;

import java.util.List;
import java.util.Locale;

/**
 * A logistic regression on how a container spends its time: I/O-intensive is what {@code w0 + w1 b + w2 n + w3 c >= 0} says, where
 * of the time blocked on I/O, on the network, on a CPU and waiting for one b is the share of the first and n that of the second,
 * and c is the number of CPUs used, at most 1. The network's time is that for which the NIC's whole bandwidth was used.
 *
 * <p>{@code FitControlClassifier} in benchmarks/ derives the weights from the measured tasks in benchmarks/corun, and a test there
 * holds them against each other.
 */
public final class LearnedClassifier implements Classifier {
    public static final LearnedClassifier INSTANCE = new LearnedClassifier();

    private static final List<Double> WEIGHTS = List.of(-1.524, 4.494, 5.860, -6.906);
    private static final double LEAST_BUSY = 0.001;

    private LearnedClassifier() {}

    /** The weights of 1 and of each of {@link #features}. */
    public static List<Double> weights() {
        return WEIGHTS;
    }

    /** Returns 1 and what the weights are of; of an idle window 1 and zeros. */
    public static List<Double> features(Usage window) {
        double onCpu = window.amountOrNone(Quantity.ON_CPU);
        double blocked = window.amountOrNone(Quantity.BLOCKED);
        double network = window.amountOrNone(Quantity.NETWORK);
        double all = onCpu + blocked + network + window.amountOrNone(Quantity.RUN_QUEUE_WAIT);
        if (all <= 0) {
            return List.of(1.0, 0.0, 0.0, 0.0);
        }
        return List.of(1.0, blocked / all, network / all, Math.min(1, onCpu / window.seconds()));
    }

    /** Returns the logarithm of the odds that a container of {@code features} is I/O-intensive. */
    public static double logOdds(List<Double> weights, List<Double> features) {
        double sum = 0;
        for (int i = 0; i < weights.size(); i++) {
            sum += weights.get(i) * features.get(i);
        }
        return sum;
    }

    /** Needs CPU time, and one of blocked time and network: without both it would take every writer for idle. */
    @Override
    public Classified classify(Usage window) {
        boolean counted = window.amount(Quantity.BLOCKED).isPresent()
                || window.amount(Quantity.NETWORK).isPresent();
        if (window.amount(Quantity.ON_CPU).isEmpty() || !counted) {
            return Classified.not("neither time blocked on I/O nor network is counted");
        }
        List<Double> features = features(window);
        double busy = window.amountOrNone(Quantity.ON_CPU)
                + window.amountOrNone(Quantity.BLOCKED)
                + window.amountOrNone(Quantity.NETWORK);
        if (busy <= LEAST_BUSY * window.seconds()) {
            return Classified.not("idle");
        }
        double odds = logOdds(WEIGHTS, features);
        return Classified.by(
                odds >= 0,
                String.format(
                        Locale.ROOT,
                        "blocked %.2f and network %.2f of its time, %.2f CPUs: log-odds %.1f, %s 0",
                        features.get(1),
                        features.get(2),
                        features.get(3),
                        odds,
                        odds >= 0 ? "at least" : "less than"));
    }
}
