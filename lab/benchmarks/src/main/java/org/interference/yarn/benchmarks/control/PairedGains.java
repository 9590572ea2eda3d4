package org.interference.yarn.benchmarks.control;

import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.lab.stats.Interval;

/** Gains of pairs of runs, on against off; 0.05 is five per cent better. */
final class PairedGains {
    private final List<Double> gains = new ArrayList<>();

    void add(double gain) {
        gains.add(gain);
    }

    /** Puts the mean under {@code name}, and beside it its {@link Interval}. */
    void putInto(Results results, String name) {
        Interval interval = interval();
        results.put(name, interval.mean());
        Results beside = results.under(name + "_interval");
        beside.put("from", interval.low());
        beside.put("to", interval.high());
        beside.put("pairs", (long) gains.size());
    }

    private Interval interval() {
        return Interval.of(gains.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
