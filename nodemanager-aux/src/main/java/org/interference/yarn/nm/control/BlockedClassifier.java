package org.interference.yarn.nm.control;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * I/O-intensive is whose threads, when they are not idle, are blocked on block I/O: blocked / (blocked + on-CPU + run-queue wait).
 *
 * @param share from which on, in (0, 1)
 */
public record BlockedClassifier(double share) implements Classifier {
    /** Of a container that hardly did anything, a share says nothing. */
    private static final double LEAST_BUSY = 0.001;

    @Override
    public Classified classify(Usage window) {
        OptionalDouble onCpu = window.amount(Quantity.ON_CPU);
        OptionalDouble blocked = window.amount(Quantity.BLOCKED);
        if (onCpu.isEmpty() || blocked.isEmpty()) {
            return Classified.not("time blocked on I/O is not counted");
        }
        double busy = onCpu.getAsDouble() + blocked.getAsDouble() + window.amountOrNone(Quantity.RUN_QUEUE_WAIT);
        if (busy <= LEAST_BUSY * window.seconds()) {
            return Classified.not("idle");
        }
        double measured = blocked.getAsDouble() / busy;
        boolean inputOutput = measured >= share;
        return Classified.by(
                inputOutput,
                String.format(
                        Locale.ROOT,
                        "blocked on I/O %.2f of its time, %s %.2f",
                        measured,
                        inputOutput ? "at least" : "less than",
                        share));
    }
}
