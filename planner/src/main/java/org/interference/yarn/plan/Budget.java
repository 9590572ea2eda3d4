package org.interference.yarn.plan;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a solver may search: so many steps, or until a clock says so, whichever is first. Immutable; each {@link #start} counts anew.
 *
 * @param steps at least 1
 * @param clock in ns, from any origin
 */
public record Budget(long steps, Duration time, LongSupplier clock) {
    /** Reading the clock costs about as much as a step on a small problem. */
    private static final long STEPS_BETWEEN_LOOKS = 128;

    public Budget {
        if (steps < 1 || time.isNegative()) {
            throw new IllegalArgumentException("a budget of %d steps and %s".formatted(steps, time));
        }
    }

    /** So many steps, however long they take. */
    public static Budget steps(long steps) {
        return new Budget(steps, Duration.ZERO, () -> -1);
    }

    /** So much time, however many steps that is. */
    public static Budget time(LongSupplier clock, Duration time) {
        return new Budget(Long.MAX_VALUE, time, clock);
    }

    /** Returns this one with no more than so many steps. */
    public Budget atMost(long most) {
        return new Budget(Math.min(steps, most), time, clock);
    }

    /** Begins to count. */
    public Progress start() {
        return new Progress(this);
    }

    /** How much of a budget is spent. Not thread-safe. */
    public static final class Progress {
        private final Budget budget;
        private final long startNanos;
        private final boolean timed;
        private long taken;
        private double timeSpent;

        private Progress(Budget budget) {
            this.budget = budget;
            this.timed = !budget.time.isZero();
            this.startNanos = timed ? budget.clock.getAsLong() : 0;
        }

        /** Counts a step, and returns whether it may still be made. */
        public boolean step() {
            if (taken >= budget.steps) {
                return false;
            }
            if (timed && taken % STEPS_BETWEEN_LOOKS == 0) {
                timeSpent = (double) (budget.clock.getAsLong() - startNanos) / budget.time.toNanos();
                if (timeSpent >= 1) {
                    return false;
                }
            }
            taken++;
            return true;
        }

        /** Returns the share that is spent, from 0 to 1. */
        public double share() {
            return Math.min(1, Math.max(timeSpent, (double) taken / budget.steps));
        }

        public long taken() {
            return taken;
        }
    }
}
