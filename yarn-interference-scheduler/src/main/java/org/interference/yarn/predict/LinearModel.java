package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.interference.yarn.signal.Signal;

/**
 * The logarithm of the slowdown as a sum over the signals, each with coefficients {@code >= 0}. Immutable.
 *
 * <p>Formula, with {@code o_r} the task's own level of signal {@code r}, {@code b_r} what its neighbours press together and
 * {@code n} their number: {@code ln S = sum over r of q_r ln Q_r + x_r o_r b_r + p_r b_r}, plus {@code k n}. {@code Q_r} is the
 * slowdown of a task that gets its max-min fair share of a capacity {@code c_r} ({@link FairShare}). The capacities are learnt: a node's CPUs may be under a quota, and a queue has none that is known.
 */
public final class LinearModel implements Model {
    /** Coefficients of each signal, in this order, and one for the number of neighbours. */
    static final int TERMS_PER_SIGNAL = 3;

    static final int TERMS = TERMS_PER_SIGNAL * Situation.OWN + 1;

    private static final Signal[] SIGNALS = Signal.predictors().toArray(Signal[]::new);

    /** What each coefficient belongs to, for a stored model to be checked against. */
    public static final List<String> NAMES = Stream.concat(
                    Stream.of(SIGNALS).flatMap(signal -> Stream.of("queue.", "cross.", "plain.")
                            .map(term -> term + signal.wireName())),
                    Stream.of("count"))
            .toList();

    private final double[] capacities;
    private final double[] coefficients;

    private LinearModel(double[] capacities, double[] coefficients) {
        this.capacities = capacities;
        this.coefficients = coefficients;
    }

    /**
     * Returns the model with these figures.
     *
     * @param capacities one for each signal in the order of the enum
     * @param coefficients in the order of {@link #NAMES}
     * @throws IllegalArgumentException if there are not as many, or one is not finite and {@code >= 0}
     */
    public static LinearModel of(double[] capacities, double[] coefficients) {
        if (capacities.length != Situation.OWN || coefficients.length != TERMS) {
            throw new IllegalArgumentException("a linear model has %d capacities and %d coefficients, got %d and %d"
                    .formatted(Situation.OWN, TERMS, capacities.length, coefficients.length));
        }
        for (double figure : Stream.of(capacities, coefficients)
                .flatMapToDouble(Arrays::stream)
                .toArray()) {
            if (!(figure >= 0 && figure <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("a figure of a linear model must be finite and >= 0, got " + figure);
            }
        }
        return new LinearModel(capacities.clone(), coefficients.clone());
    }

    @Override
    public double logSlowdown(Situation situation) {
        double[] figures = situation.array();
        double sum = coefficients[TERMS - 1] * figures[Situation.COUNT];
        for (int signal = 0; signal < Situation.OWN; signal++) {
            double beside = figures[Situation.OWN + signal];
            if (beside == 0) {
                continue;
            }
            int term = TERMS_PER_SIGNAL * signal;
            sum += coefficients[term + 2] * beside;
            double own = figures[signal];
            if (own > 0) {
                sum += coefficients[term + 1] * own * beside;
                if (coefficients[term] > 0) {
                    sum += coefficients[term]
                            * FairShare.logSlowdown(own, beside, figures[Situation.COUNT], capacities[signal]);
                }
            }
        }
        return sum;
    }

    /** Writes the terms that {@code situation} has, in the order of {@link #NAMES}, to {@code terms}. */
    static void terms(Situation situation, double[] capacities, double[] terms) {
        double[] figures = situation.array();
        Arrays.fill(terms, 0);
        terms[TERMS - 1] = figures[Situation.COUNT];
        for (int signal = 0; signal < Situation.OWN; signal++) {
            double beside = figures[Situation.OWN + signal];
            double own = figures[signal];
            int term = TERMS_PER_SIGNAL * signal;
            terms[term + 2] = beside;
            if (own > 0) {
                terms[term + 1] = own * beside;
                terms[term] = FairShare.logSlowdown(own, beside, figures[Situation.COUNT], capacities[signal]);
            }
        }
    }

    public double[] capacities() {
        return capacities.clone();
    }

    public double[] coefficients() {
        return coefficients.clone();
    }
}
