package org.interference.yarn.nm.control;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * SBCC, Algorithm 1 of CSS (Song, Yu and Lee, Applied Sciences 12(16) 8228, 2022): a container whose processes together (equation 1) made at
 * least lambda futex calls is I/O-intensive, any other one CPU-intensive.
 *
 * <p>"The number of occurrences of system calls is accumulated for each resource management interval, and it is initialized for each
 * cleaning interval" (section 3.2): so the window is what was used since the last cleaning, however long ago that was, and one look decides.
 *
 * @param lambda futex calls since the last cleaning, {@code > 0}
 */
public record Sbcc(double lambda) implements Classifier {
    @Override
    public Classified classify(Usage window) {
        OptionalDouble counted = window.amount(Quantity.FUTEX_CALLS);
        if (counted.isEmpty()) {
            return Classified.not("futex calls are not counted");
        }
        // A report has rates: their product with the time is whole but for rounding.
        long sum = Math.round(counted.getAsDouble());
        boolean inputOutput = sum >= lambda;
        return Classified.by(
                inputOutput,
                String.format(
                        Locale.ROOT,
                        "%d futex calls since the last cleaning, %s %.0f",
                        sum,
                        inputOutput ? "at least" : "less than",
                        lambda));
    }

    @Override
    public double leastOfInterval() {
        return 0;
    }

    @Override
    public int agreements() {
        return 1;
    }
}
