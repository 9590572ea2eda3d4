package org.interference.yarn.learn;

import java.util.stream.DoubleStream;

/**
 * The CPU that runs of one kind of task used, as sums that fade by {@value #FADING} with each run. Immutable. {@code x} is the
 * logarithm of the slowdown that the prior expects of a disturbed run, {@code y} that of the share of the node's processors that it used.
 *
 * @param disturbed how many runs were disturbed
 * @param count of those, faded, as all that follow
 * @param alone how many runs were not disturbed, with {@code aloneY} the sum of their logarithms
 */
public record CpuRuns(
        long disturbed, double count, double x, double y, double xx, double xy, double alone, double aloneY) {
    static final CpuRuns NONE = new CpuRuns(0, 0, 0, 0, 0, 0, 0, 0);

    private static final double FADING = 0.99;

    /** @throws IllegalArgumentException if a count is negative, or a sum not finite */
    public CpuRuns {
        if (disturbed < 0
                || !(count >= 0 && alone >= 0)
                || !DoubleStream.of(count, x, y, xx, xy, alone, aloneY).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("counts must be >= 0 and sums finite, got %d, %s, %s, %s, %s, %s, %s, %s"
                    .formatted(disturbed, count, x, y, xx, xy, alone, aloneY));
        }
    }

    /** @param level logarithm of the share of the processors */
    CpuRuns withAlone(double level) {
        return new CpuRuns(disturbed, count, x, y, xx, xy, FADING * alone + 1, FADING * aloneY + level);
    }

    /**
     * @param expected logarithm of the slowdown
     * @param level logarithm of the share of the processors
     */
    CpuRuns withDisturbed(double expected, double level) {
        return new CpuRuns(
                disturbed + 1,
                FADING * count + 1,
                FADING * x + expected,
                FADING * y + level,
                FADING * xx + expected * expected,
                FADING * xy + expected * level,
                alone,
                aloneY);
    }

    double squares() {
        return count > 0 ? Math.max(0, xx - x * x / count) : 0;
    }

    double products() {
        return count > 0 ? xy - x * y / count : 0;
    }
}
