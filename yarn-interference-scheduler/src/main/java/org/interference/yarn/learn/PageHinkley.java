package org.interference.yarn.learn;

/**
 * Notices that the mean of a sequence has risen (Page, Biometrika 1954; Hinkley 1971; as in Gama et al., ACM Computing Surveys
 * 2014, section 3.2). Not thread-safe.
 *
 * <p>With {@code x_t} the values and {@code a_t} their mean so far: {@code m_t = sum of (x_i - a_i - tolerance)}; the mean has
 * risen when {@code m_t - min m > threshold}. Then it starts anew.
 */
final class PageHinkley {
    /** The mean of a few values is not one to rise above. */
    private static final int WARM_UP = 30;

    private final double tolerance;
    private final double threshold;
    private long count;
    private double mean;
    private double sum;
    private double lowest;

    /**
     * @param tolerance rise of the mean that is no change
     * @param threshold sum of rises that is one: larger is later, and less often wrong
     */
    PageHinkley(double tolerance, double threshold) {
        this.tolerance = tolerance;
        this.threshold = threshold;
    }

    /** Takes a value and returns whether the mean has risen. */
    boolean rises(double value) {
        count++;
        mean += (value - mean) / count;
        sum += value - mean - tolerance;
        lowest = Math.min(lowest, sum);
        boolean risen = count > WARM_UP && sum - lowest > threshold;
        if (risen) {
            expect(0, 0);
        }
        return risen;
    }

    /** Starts anew, as if {@code values} had been seen whose mean was {@code mean}. */
    void expect(double mean, long values) {
        this.count = values;
        this.mean = mean;
        sum = 0;
        lowest = 0;
    }
}
