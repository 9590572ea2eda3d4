package org.interference.yarn.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the ResourceManager knows of a task before it runs. Immutable.
 *
 * @param type the application type, in lower case
 * @param name the application name as {@link #normalised}, so that every run of one job has the same
 * @param role what the container does in its application: {@code am}, {@code map}, {@code reduce}, ...
 * @param tag the kind of task, if the user gave one
 */
public record TaskIdentity(String type, String name, String role, String queue, Optional<String> tag) {
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    /** Digits with what joins them in dates, times, versions and YARN's ids. */
    private static final Pattern NUMBERS = Pattern.compile("\\d[\\d_.:-]*");

    private static final Pattern NOT_IN_A_KEY = Pattern.compile("[\\s/]+");

    public static TaskIdentity of(String type, String name, String role, String queue, Optional<String> tag) {
        return new TaskIdentity(normalised(type), normalised(name), role, queue, tag);
    }

    /** Returns the keys to look for a profile under, most specific first. */
    public List<TaskKey> keys() {
        List<TaskKey> keys = new ArrayList<>();
        tag.ifPresent(given -> keys.add(new TaskKey(TaskKey.Level.TAG, "%s/%s".formatted(given, role))));
        keys.add(new TaskKey(TaskKey.Level.NAME, "%s/%s/%s/%s".formatted(type, name, role, queue)));
        return keys;
    }

    /** Returns the most specific key as text, for people. */
    public String text() {
        return keys().get(0).text();
    }

    /** Returns {@code name} in lower case with every run's own numbers, dates and ids as {@code #}. */
    static String normalised(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        String withoutIds = UUID.matcher(lower).replaceAll("#");
        String withoutNumbers = NUMBERS.matcher(withoutIds).replaceAll("#");
        return NOT_IN_A_KEY.matcher(withoutNumbers).replaceAll("-");
    }
}
