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
 * @param talks names of the groups whose members its containers talk to and are rather beside, in lower case
 */
public record Wishes(
        OptionalDouble sensitivity, boolean spread, boolean exclusive, Set<String> avoided, Set<String> talks) {
    static final double LEAST = 0.1;
    static final double MOST = 100;

    /** Those of an application that is like any other. */
    public static final Wishes NONE = new Wishes(OptionalDouble.empty(), false, false, Set.of(), Set.of());

    private static final String SENSITIVITY = "ifc-sensitivity:";
    private static final String SPREAD = "ifc-spread";
    private static final String EXCLUSIVE = "ifc-exclusive";
    private static final String AVOID = "ifc-avoid:";
    private static final String AFFINITY = "ifc-affinity:";

    public Wishes {
        avoided = Set.copyOf(avoided);
        talks = Set.copyOf(talks);
    }

    /** Reads an application's tags. One that is not ours, or that breaks its rule, says nothing; of two that differ the higher counts. */
    public static Wishes of(Collection<String> tags) {
        OptionalDouble sensitivity = tags.stream()
                .filter(tag -> tag.startsWith(SENSITIVITY))
                .map(tag -> sensitivity(tag.substring(SENSITIVITY.length())))
                .flatMapToDouble(OptionalDouble::stream)
                .max();
        Wishes wishes = new Wishes(
                sensitivity,
                tags.contains(SPREAD),
                tags.contains(EXCLUSIVE),
                names(tags, AVOID),
                names(tags, AFFINITY));
        return wishes.equals(NONE) ? NONE : wishes;
    }

    /**
     * Returns what is left of these where tags say no more than they may.
     *
     * @param most that a sensitivity may be; below {@link #LEAST}, nothing is heard
     */
    Wishes within(double most) {
        if (most < LEAST) {
            return NONE;
        }
        return sensitivity.orElse(LEAST) <= most
                ? this
                : new Wishes(OptionalDouble.of(most), spread, exclusive, avoided, talks);
    }

    /** Returns the wishes of a container that talks to none of the application's, as its ApplicationMaster. */
    public Wishes silent() {
        return talks.isEmpty() ? this : new Wishes(sensitivity, spread, exclusive, avoided, Set.of());
    }

    private static Set<String> names(Collection<String> tags, String prefix) {
        // YARN has written tags in lower case already.
        return tags.stream()
                .filter(tag -> tag.startsWith(prefix) && tag.length() > prefix.length())
                .map(tag -> tag.substring(prefix.length()).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** Returns whether it matters to this application beside whom its containers rather are not. */
    boolean isChoosy() {
        return spread || exclusive || !avoided.isEmpty();
    }

    /** Returns what is written as a number from {@link #LEAST} to {@link #MOST}, or as a {@link SensitivityLevel}'s name; empty for anything else. */
    static OptionalDouble sensitivity(String text) {
        try {
            double number = Double.parseDouble(text);
            return number >= LEAST && number <= MOST ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return SensitivityLevel.named(text);
        }
    }
}
