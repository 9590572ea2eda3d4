package org.interference.yarn.predict;

import java.util.Objects;

/**
 * One observed slowdown to learn from. Immutable.
 *
 * @param kind of the task; empty where that is not known
 * @param slowdown run time over run time alone; below 1 where the measurement's noise made it so
 * @param weight how much it counts, above 0
 */
public record Example(String kind, Situation situation, double slowdown, double weight) {
    public Example {
        Objects.requireNonNull(kind, "kind is null");
        Objects.requireNonNull(situation, "situation is null");
        if (!(slowdown > 0 && slowdown <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("slowdown must be finite and > 0, got " + slowdown);
        }
        if (!(weight > 0 && weight <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("weight must be finite and > 0, got " + weight);
        }
    }

    /** One of whose task nothing is known but its levels. */
    public Example(Situation situation, double slowdown, double weight) {
        this("", situation, slowdown, weight);
    }

    /** Returns the same with another situation. */
    public Example in(Situation other) {
        return new Example(kind, other, slowdown, weight);
    }

    /** Returns what models are fitted to. */
    public double logSlowdown() {
        return Math.log(slowdown);
    }
}
