package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One training of all challengers, and what came of it. Immutable.
 *
 * @param errors on the same held-out observations, by name: {@code prior}, {@code champion} and each challenger
 * @param version the new champion's; empty if the old one stayed
 * @param reason why, in one sentence
 */
public record TrainingRound(
        Instant at,
        Trigger trigger,
        int examples,
        int heldOut,
        Map<String, Double> errors,
        Optional<Integer> version,
        String reason) {
    /** Why it was time. */
    public enum Trigger {
        /** Enough was observed for the first time. */
        FIRST,
        /** A good deal more was observed. */
        MORE_OBSERVATIONS,
        /** The live error rose. */
        DRIFT,
        /** An administrator asked for it. */
        ASKED
    }

    public TrainingRound {
        Objects.requireNonNull(at, "at is null");
        Objects.requireNonNull(trigger, "trigger is null");
        Objects.requireNonNull(reason, "reason is null");
        errors = Map.copyOf(errors);
    }

    /** The shortest time between two rounds. */
    static final Duration LEAST_INTERVAL = Duration.ofSeconds(30);
}
