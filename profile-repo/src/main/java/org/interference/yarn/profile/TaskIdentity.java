package org.interference.yarn.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the ResourceManager knows of a task before it runs. Immutable; equal if the keys and the stage are. */
public final class TaskIdentity {
    /** The role of an application's own master. */
    public static final String MASTER = "am";

    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    /** A hash or an id in hexadecimal digits. */
    private static final Pattern HEXADECIMAL =
            Pattern.compile("(?<!\\p{Alnum})(?=\\p{XDigit}*\\d)\\p{XDigit}{8,}(?!\\p{Alnum})");
    /** Digits with what joins them in dates, times, versions and YARN's ids. */
    private static final Pattern NUMBERS = Pattern.compile("\\d[\\d_.:-]*");
    /** What tells the members of a suite apart: {@code q14}, {@code stage2}. */
    private static final Pattern SHORT_NUMBER = Pattern.compile("\\d{1,3}[_.:-]*");

    private static final Pattern NOT_IN_A_KEY = Pattern.compile("[\\s/]+");

    private final String role;
    private final Optional<String> tag;
    private final Optional<String> stage;
    private final List<TaskKey> keys;

    private TaskIdentity(String role, Optional<String> tag, Optional<String> stage, List<TaskKey> keys) {
        this.role = role;
        this.tag = tag;
        this.stage = stage;
        this.keys = List.copyOf(keys);
    }

    /** A task of which neither user nor application is known. */
    public static TaskIdentity of(String type, String name, String role, String queue, Optional<String> tag) {
        return of(type, name, role, queue, tag, Optional.empty());
    }

    /**
     * Makes a task's identity.
     *
     * @param name the application's; numbers of one run are taken out
     * @param role what the container does in its application: {@link #MASTER}, {@code map}, {@code reduce}, ...
     * @param tag the kind of task, if the user gave one
     */
    public static TaskIdentity of(
            String type, String name, String role, String queue, Optional<String> tag, Optional<String> user) {
        String kind = normalised(type);
        List<TaskKey> keys = new ArrayList<>(TaskKey.Level.values().length);
        tag.ifPresent(given -> keys.add(key(TaskKey.Level.TAG, given, role)));
        TaskKey byName = key(TaskKey.Level.NAME, kind, normalised(name), role, queue);
        TaskKey variant = key(TaskKey.Level.VARIANT, kind, withShortNumbers(name), role, queue);
        if (!variant.text().equals(byName.text())) {
            keys.add(variant);
        }
        keys.add(byName);
        user.ifPresent(known -> keys.add(key(TaskKey.Level.USER, kind, role, known)));
        keys.add(key(TaskKey.Level.ROLE, kind, role));
        if (!role.equals(MASTER)) {
            keys.add(key(TaskKey.Level.QUEUE, queue));
            keys.add(key(TaskKey.Level.CLUSTER, "*"));
        }
        return new TaskIdentity(role, tag, Optional.empty(), keys);
    }

    /**
     * Returns this identity for a task of {@code run}, which is one application. Tasks of one run and role are a stage: they
     * run the same code on equal splits.
     */
    public TaskIdentity in(String run) {
        return new TaskIdentity(role, tag, Optional.of(run + "/" + role), keys);
    }

    public String role() {
        return role;
    }

    public Optional<String> tag() {
        return tag;
    }

    /** Returns what only tasks of the same stage of the same run have; empty if the run is not known. */
    public Optional<String> stage() {
        return stage;
    }

    /** Returns the keys to look for a profile under, most specific first. */
    public List<TaskKey> keys() {
        return keys;
    }

    /** Returns, as text for people, the most specific key that two runs share. */
    public String text() {
        TaskKey first = keys.get(0);
        return first.level() == TaskKey.Level.VARIANT ? keys.get(1).text() : first.text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskIdentity task && keys.equals(task.keys) && stage.equals(task.stage);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keys, stage);
    }

    @Override
    public String toString() {
        return text();
    }

    /** Returns {@code name} in lower case with every run's own numbers, dates and ids as {@code #}. */
    static String normalised(String name) {
        return withoutSeparators(NUMBERS.matcher(withoutIds(name)).replaceAll("#"));
    }

    /** Returns {@code name} as {@link #normalised}, but with the short numbers that follow a letter left in. */
    static String withShortNumbers(String name) {
        String ids = withoutIds(name);
        return withoutSeparators(
                NUMBERS.matcher(ids).replaceAll(number -> isShort(number, ids) ? number.group() : "#"));
    }

    private static boolean isShort(MatchResult number, String name) {
        return number.start() > 0
                && Character.isLetter(name.charAt(number.start() - 1))
                && SHORT_NUMBER.matcher(number.group()).matches();
    }

    private static String withoutIds(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        return HEXADECIMAL.matcher(UUID.matcher(lower).replaceAll("#")).replaceAll("#");
    }

    private static String withoutSeparators(String name) {
        return NOT_IN_A_KEY.matcher(name).replaceAll("-");
    }

    private static TaskKey key(TaskKey.Level level, String... parts) {
        return new TaskKey(level, String.join("/", parts));
    }
}
