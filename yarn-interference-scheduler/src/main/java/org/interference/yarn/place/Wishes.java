package org.interference.yarn.place;

import java.util.Collection;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an application asks for by its tags. Immutable.
 *
 * @param sensitivity how many times a slowdown of its containers counts, from {@link #LEAST} to {@link #MOST}; empty if it does not say
 * @param spread its containers rather not beside each other
 * @param exclusive its containers rather not beside those of others
 * @param avoided keys of tasks that its containers are rather not beside, in lower case
 */
public record Wishes(OptionalDouble sensitivity, boolean spread, boolean exclusive, Set<String> avoided) {
    static final double LEAST = 0.1;
    static final double MOST = 100;

    /** Those of an application that is like any other. */
    public static final Wishes NONE = new Wishes(OptionalDouble.empty(), false, false, Set.of());

    private static final String SENSITIVITY = "ifc-sensitivity:";
    private static final String SPREAD = "ifc-spread";
    private static final String EXCLUSIVE = "ifc-exclusive";
    private static final String AVOID = "ifc-avoid:";

    public Wishes {
        avoided = Set.copyOf(avoided);
    }

    /** Reads an application's tags. One that is not ours, or that breaks its rule, says nothing; of two that differ the higher counts. */
    public static Wishes of(Collection<String> tags) {
        OptionalDouble sensitivity = tags.stream()
                .filter(tag -> tag.startsWith(SENSITIVITY))
                .mapToDouble(tag -> number(tag.substring(SENSITIVITY.length())))
                .filter(Wishes::isSensitivity)
                .max();
        // YARN has written tags in lower case already.
        Set<String> avoided = tags.stream()
                .filter(tag -> tag.startsWith(AVOID) && tag.length() > AVOID.length())
                .map(tag -> tag.substring(AVOID.length()).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        Wishes wishes = new Wishes(sensitivity, tags.contains(SPREAD), tags.contains(EXCLUSIVE), avoided);
        return wishes.equals(NONE) ? NONE : wishes;
    }

    /** Returns whether it matters to this application who its neighbours are. */
    boolean isChoosy() {
        return spread || exclusive || !avoided.isEmpty();
    }

    static boolean isSensitivity(double value) {
        return value >= LEAST && value <= MOST;
    }

    /** Returns NaN for anything else. */
    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
