package org.interference.yarn.learn;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Half the width of the interval around a predicted slowdown that a share of what happens falls into, in logarithms. Not thread-safe.
 *
 * <p>By conformal prediction: of the absolute errors in logarithms of the newest {@code n} answers the one with rank {@code ceil((n + 1) (1 -
 * a))} (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005; Lei et al., JASA 113, 2018). It holds whatever the errors'
 * distribution is, as long as that stays what it is. As it does not, {@code a} follows what was missed: {@code a + g (1 - cover - missed)}
 * after each answer (Gibbs and Candès, NeurIPS 2021), {@code g} being the step.
 */
final class LiveInterval {
    /** Of fewer the rank would be beyond the largest, and one that is odd would be the width. */
    private static final int LEAST = 20;

    /** What is missed is aimed at from a tenth of what it should be to three times that. */
    private static final double LEAST_MISSED = 0.1;

    private static final double MOST_MISSED = 3;
    /** Of an interval that hardly anything falls into, the least error would be the width. */
    private static final double NEARLY_ALL = 0.95;

    /** By the time of the answer, and the same by size: sorting them anew at each answer would take as long as predicting. */
    private final double[] newest;

    private final double[] sorted;
    private long count;
    private final double cover;
    private final double step;
    private double missed;
    private OptionalDouble spread = OptionalDouble.empty();

    /**
     * @param span how many answers it is made of
     * @param cover the share of what happens that is to fall into it
     * @param step how fast what is aimed at follows what was missed, from 0, never, to 1: with a larger one as much falls into it as should
     *     sooner after the errors have changed, and its width varies more
     */
    LiveInterval(int span, double cover, double step) {
        this.cover = cover;
        this.step = step;
        this.missed = 1 - cover;
        this.newest = new double[span];
        this.sorted = new double[span];
    }

    /** Takes an answer, made before {@code observed} was known; both above 0. */
    void add(double predicted, double observed) {
        double miss = Math.abs(Math.log(predicted / observed));
        if (spread.isPresent()) {
            double next = missed + step * (1 - cover - (miss > spread.getAsDouble() ? 1 : 0));
            double most = Math.min(NEARLY_ALL, MOST_MISSED * (1 - cover));
            missed = Math.max(LEAST_MISSED * (1 - cover), Math.min(most, next));
        }
        replace((int) (count % newest.length), miss);
        count++;
        spread = quantile();
    }

    private void replace(int place, double miss) {
        int known = (int) Math.min(count, newest.length);
        if (known == newest.length) {
            int gone = Arrays.binarySearch(sorted, newest[place]);
            known--;
            System.arraycopy(sorted, gone + 1, sorted, gone, known - gone);
        }
        int found = Arrays.binarySearch(sorted, 0, known, miss);
        int next = found < 0 ? -found - 1 : found;
        System.arraycopy(sorted, next, sorted, next + 1, known - next);
        sorted[next] = miss;
        newest[place] = miss;
    }

    private OptionalDouble quantile() {
        int known = (int) Math.min(count, newest.length);
        if (known < LEAST) {
            return OptionalDouble.empty();
        }
        int rank = (int) Math.ceil((known + 1) * (1 - missed));
        return OptionalDouble.of(sorted[Math.min(known, rank) - 1]);
    }

    /** Returns one of the newest answers alone, as many as an interval is made of at least. */
    LiveInterval ofNewest() {
        LiveInterval next = new LiveInterval(newest.length, cover, step);
        int known = (int) Math.min(count, Math.min(LEAST, newest.length));
        for (long i = count - known; i < count; i++) {
            next.replace((int) next.count, newest[(int) (i % newest.length)]);
            next.count++;
        }
        next.spread = next.quantile();
        return next;
    }

    /** Empty before there are enough answers. */
    OptionalDouble spread() {
        return spread;
    }
}
