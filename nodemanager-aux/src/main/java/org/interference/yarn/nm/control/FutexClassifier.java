package org.interference.yarn.nm.control;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * SBCC of CSS (Song, Yu and Lee, Applied Sciences 12(16) 8228, 2022): a container whose processes made at least lambda futex calls
 * in a management interval is I/O-intensive, any other one CPU-intensive.
 *
 * @param lambda futex calls in one interval, {@code > 0}
 */
public record FutexClassifier(double lambda, Duration interval) implements Classifier {
    @Override
    public Classified classify(Usage window) {
        OptionalDouble calls = window.amount(Quantity.FUTEX_CALLS);
        if (calls.isEmpty() || window.seconds() <= 0) {
            return Classified.not("futex calls are not counted");
        }
        double seconds = interval.toMillis() / 1e3;
        double perInterval = calls.getAsDouble() / window.seconds() * seconds;
        boolean inputOutput = perInterval >= lambda;
        return Classified.by(
                inputOutput,
                String.format(
                        Locale.ROOT,
                        "%.0f futex calls in %.1f s, %s %.0f",
                        perInterval,
                        seconds,
                        inputOutput ? "at least" : "less than",
                        lambda));
    }
}
