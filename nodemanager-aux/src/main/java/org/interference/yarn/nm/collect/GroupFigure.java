package org.interference.yarn.nm.collect;

import java.util.Set;

/** What the kernel says of one signal of one container at one look. */
sealed interface GroupFigure {
    /** Who says it: {@code cgroup} or {@code proc}. */
    String source();

    /**
     * A number.
     *
     * @param value what has been counted, or what is held
     * @param held whether it is something held at the time of the look, and not a count that only grows
     * @param capacityPerNano what there is of it in a nanosecond
     * @param parts what the number is the sum of, such as a group's directory; a sum that has lost a part does not continue it
     */
    record Told(double value, boolean held, double capacityPerNano, Set<String> parts, String source)
            implements GroupFigure {
        public Told {
            parts = Set.copyOf(parts);
        }

        /** Whether what has happened since {@code earlier} can be told from both. */
        boolean continues(Told earlier) {
            return parts.containsAll(earlier.parts) && (held || value >= earlier.value);
        }

        /** What was used since {@code earlier}: the growth, or of something held the product of its mean and the seconds. */
        double usedSince(Told earlier, long elapsedNanos) {
            return held ? (earlier.value + value) / 2 * elapsedNanos / 1e9 : value - earlier.value;
        }
    }

    /** None, and why. */
    record Missing(String reason, String source) implements GroupFigure {}
}
