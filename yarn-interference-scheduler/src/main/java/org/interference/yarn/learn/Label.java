package org.interference.yarn.learn;

import java.util.Objects;

/**
 * An observed slowdown, and what it was derived from. Immutable.
 *
 * @param slowdown run time over run time alone; noise can make it less than 1
 * @param weight how much a model should heed it, in (0, 1]
 */
public record Label(double slowdown, Source source, double weight) {
    /** Where it comes from. */
    public enum Source {
        /** The task's run time over that of its kind alone. */
        RUN_TIME,
        /** The CPU that its kind uses undisturbed over what it used. */
        CPU_TIME,
        /** Work done per second alone over that beside the others: bytes, hand-overs, instructions, the application's own progress, or what an experiment counts. */
        WORK_RATE;

        /** Returns whether it shows what memory bandwidth and caches cost: whoever waits for these is on a processor meanwhile. */
        boolean seesMemory() {
            return this != CPU_TIME;
        }
    }

    public Label {
        Objects.requireNonNull(source, "source is null");
        if (!(slowdown > 0 && slowdown <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("slowdown must be finite and > 0, got " + slowdown);
        }
        if (!(weight > 0 && weight <= 1)) {
            throw new IllegalArgumentException("weight must be in (0, 1], got " + weight);
        }
    }
}
