package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** How good predictions were on what happened, hour by hour. A week is kept. Not thread-safe. */
public final class Accuracy {
    private static final Duration KEPT = Duration.ofDays(7);

    /** Oldest first. */
    private final Deque<Hour> hours = new ArrayDeque<>();

    Accuracy() {}

    /**
     * The predictions that were compared with what happened in one hour. Immutable. Errors are shares of the slowdown that was observed.
     *
     * @param weight sum of what each comparison counts, {@code > 0}
     * @param absolute weighted sum of absolute errors
     * @param signed weighted sum of errors; above 0, slowdowns were predicted too large
     * @param prior weighted sum of the prior's absolute errors on the same tasks
     */
    public record Hour(Instant from, long predictions, double weight, double absolute, double signed, double prior) {
        private Hour with(double error, double priorError, double counts) {
            return new Hour(
                    from,
                    predictions + 1,
                    weight + counts,
                    absolute + counts * Math.abs(error),
                    signed + counts * error,
                    prior + counts * Math.abs(priorError));
        }
    }

    /**
     * Takes what was predicted of one task, and what happened.
     *
     * @param predicted slowdown, {@code >= 1}
     * @param prior the published prior's prediction
     */
    void add(double predicted, double prior, Label label, Instant at) {
        Instant from = at.truncatedTo(ChronoUnit.HOURS);
        if (hours.isEmpty() || hours.getLast().from().isBefore(from)) {
            hours.addLast(new Hour(from, 0, 0, 0, 0, 0));
        }
        while (hours.getFirst().from().isBefore(from.minus(KEPT))) {
            hours.removeFirst();
        }
        hours.addLast(hours.removeLast()
                .with(predicted / label.slowdown() - 1, prior / label.slowdown() - 1, label.weight()));
    }

    List<Hour> hours() {
        return List.copyOf(hours);
    }
}
