package org.interference.yarn.sim.cmd;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * How far something is from its baseline, in per cent of it: the mean over paired runs, and how far the 95 % interval of Student's
 * t reaches to both sides. Immutable.
 *
 * @param reach empty for a single pair, which has no interval
 */
record Change(double mean, Optional<Double> reach) {
    private static final double CONFIDENCE = 0.95;

    /** @param values and {@code baseline} of the same seeds in the same order */
    static Change between(List<Double> values, List<Double> baseline) {
        SummaryStatistics changes = new SummaryStatistics();
        IntStream.range(0, values.size())
                .mapToDouble(i -> 100 * (values.get(i) / baseline.get(i) - 1))
                .forEach(changes::addValue);
        if (values.size() < 2) {
            return new Change(changes.getMean(), Optional.empty());
        }
        double t = new TDistribution(values.size() - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double error = changes.getStandardDeviation() / Math.sqrt(values.size());
        return new Change(changes.getMean(), Optional.of(t * error));
    }
}
