package org.interference.yarn.learn;

import java.time.Instant;
import java.util.Objects;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.Situation;

/**
 * One task's slowdown, and what was beside it. Immutable.
 *
 * @param kind the text of the key that its profile is filed under
 */
public record Observation(Instant at, String kind, Situation situation, Label label) {
    public Observation {
        Objects.requireNonNull(at, "at is null");
        Objects.requireNonNull(kind, "kind is null");
        Objects.requireNonNull(situation, "situation is null");
        Objects.requireNonNull(label, "label is null");
    }

    /** @param share of its weight that is left */
    Example example(double share) {
        return new Example(kind, situation, label.slowdown(), share * label.weight());
    }
}
