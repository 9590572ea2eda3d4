package org.interference.yarn.benchmarks.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.interference.yarn.benchmarks.Results;

/** Gains of pairs of runs, on against off; 0.05 is five per cent better. */
final class Gains {
    private static final int RESAMPLES = 2000;
    private static final double TAIL = 0.025;
    private static final long SEED = 19701;

    private final List<Double> gains = new ArrayList<>();

    void add(double gain) {
        gains.add(gain);
    }

    double mean() {
        return mean(gains);
    }

    /** Puts the mean under {@code name}, and beside it the interval of 95 % by resampling the pairs. */
    void putInto(Results results, String name) {
        results.put(name, mean());
        Random random = new Random(SEED);
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < RESAMPLES; i++) {
            List<Double> drawn = new ArrayList<>();
            gains.forEach(ignored -> drawn.add(gains.get(random.nextInt(gains.size()))));
            means.add(mean(drawn));
        }
        means.sort(null);
        Results interval = results.under(name + "_interval");
        interval.put("from", means.get((int) (TAIL * RESAMPLES)));
        interval.put("to", means.get((int) ((1 - TAIL) * RESAMPLES) - 1));
        interval.put("pairs", (long) gains.size());
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
