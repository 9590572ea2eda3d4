package org.interference.yarn.profile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the ResourceManager knows of a task before it runs. Immutable; equal if the keys and the stage are.
 *
 * <p>Keys that are made of what a user may freely choose, a tag or a name, are that user's own. The texts of two keys of different levels
 * are never the same, whatever users choose.
 */
public final class TaskIdentity {
    /** What the text of a tag's key begins with, before the user. */
    public static final String TAG = "ifc:";

    /** Stands for the user in the key of a tag that all share; no user, as a colon in a name is replaced. */
    private static final String EVERYBODY = ":all";

    /** What the text of such a key begins with. */
    static final String SHARED_TAG = TAG + EVERYBODY + "/";

    /** The role of an application's own master. */
    public static final String MASTER = "am";

    /** The roles of MapReduce's tasks. */
    public static final String MAP = "map";

    public static final String REDUCE = "reduce";

    /** How the roles of Spark's executors begin; their priority follows. */
    public static final String EXECUTOR = "executor-";

    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    /** A hash or an id in hexadecimal digits. */
    private static final Pattern HEXADECIMAL =
            Pattern.compile("(?<!\\p{Alnum})(?=\\p{XDigit}*\\d)\\p{XDigit}{8,}(?!\\p{Alnum})");
    /** Digits with what joins them in dates, times, versions and YARN's ids. */
    private static final Pattern NUMBERS = Pattern.compile("\\d[\\d_.:-]*");
    /** What tells the members of a suite apart: {@code q14}, {@code stage2}. */
    private static final Pattern SHORT_NUMBER = Pattern.compile("\\d{1,3}[_.:-]*");

    private static final Pattern NOT_IN_A_KEY = Pattern.compile("[\\s/]+");
    /** What ends a part of a key's text, or begins the text of a tag's. */
    private static final Pattern NOT_IN_A_NAME = Pattern.compile("[\\s/:@~]+");

    /** Of a longer name no more is read. */
    private static final int LONGEST_NAME = 1000;
    /** Of a longer part of a key, the end is a hash. */
    private static final int LONGEST_PART = 100;

    private static final int HASHED = 16;

    private final String role;
    private final Optional<String> tag;
    private final Optional<String> user;
    private final Optional<String> stage;
    private final List<TaskKey> keys;
    /** Of six texts or so: in every map that it is a key of it is asked for again and again. */
    private final int hash;

    private TaskIdentity(
            String role, Optional<String> tag, Optional<String> user, Optional<String> stage, List<TaskKey> keys) {
        this.role = role;
        this.tag = tag;
        this.user = user;
        this.stage = stage;
        this.keys = List.copyOf(keys);
        this.hash = Objects.hash(this.keys, stage);
    }

    /** A task of which neither user nor application is known. */
    public static TaskIdentity of(String type, String name, String role, String queue, Optional<String> tag) {
        return of(type, name, role, queue, tag, Optional.empty());
    }

    /** A task whose tag is the user's own. */
    public static TaskIdentity of(
            String type, String name, String role, String queue, Optional<String> tag, Optional<String> user) {
        return of(type, name, role, queue, tag, user, SharedTags.NONE);
    }

    /**
     * Makes a task's identity.
     *
     * @param name the application's; numbers of one run are taken out
     * @param role what the container does in its application: {@link #MASTER}, {@code map}, {@code reduce}, ...
     * @param tag the kind of task, if the user gave one
     * @param shared tags by which all users mean the same
     */
    public static TaskIdentity of(
            String type,
            String name,
            String role,
            String queue,
            Optional<String> tag,
            Optional<String> user,
            SharedTags shared) {
        String kind = NOT_IN_A_NAME.matcher(normalised(type)).replaceAll("-");
        String owner = user.map(TaskIdentity::asPart).orElse("");
        List<TaskKey> keys = new ArrayList<>(TaskKey.Level.values().length);
        tag.ifPresent(given ->
                keys.add(key(TaskKey.Level.TAG, TAG + (shared.has(given) ? EVERYBODY : owner), asPart(given), role)));
        TaskKey byName = byName(TaskKey.Level.NAME, kind, normalised(name), role, queue, owner);
        TaskKey variant = byName(TaskKey.Level.VARIANT, kind, withShortNumbers(name), role, queue, owner);
        if (!variant.text().equals(byName.text())) {
            keys.add(variant);
        }
        keys.add(byName);
        if (user.isPresent()) {
            keys.add(key(TaskKey.Level.USER, kind, role, owner));
        }
        keys.add(key(TaskKey.Level.ROLE, kind, role));
        if (!role.equals(MASTER)) {
            keys.add(key(TaskKey.Level.QUEUE, queue));
            keys.add(key(TaskKey.Level.CLUSTER, "*"));
        }
        return new TaskIdentity(role, tag, user, Optional.empty(), keys);
    }

    /**
     * Returns this identity for a task of {@code run}, which is one application. Tasks of one run and role are a stage: they
     * run the same code on equal splits.
     */
    public TaskIdentity in(String run) {
        return new TaskIdentity(role, tag, user, Optional.of(run + "/" + role), keys);
    }

    public String role() {
        return role;
    }

    public Optional<String> tag() {
        return tag;
    }

    /** Returns who submitted the application; empty if that is not known. */
    public Optional<String> user() {
        return user;
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
        return hash;
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
        String read = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        String lower = read.strip().toLowerCase(Locale.ROOT);
        return HEXADECIMAL.matcher(UUID.matcher(lower).replaceAll("#")).replaceAll("#");
    }

    private static String withoutSeparators(String name) {
        return NOT_IN_A_KEY.matcher(name).replaceAll("-");
    }

    private static TaskKey byName(
            TaskKey.Level level, String type, String name, String role, String queue, String owner) {
        return owner.isEmpty() ? key(level, type, name, role, queue) : key(level, type, name, role, queue, owner);
    }

    private static TaskKey key(TaskKey.Level level, String... parts) {
        return new TaskKey(
                level, Arrays.stream(parts).map(TaskIdentity::shortened).collect(Collectors.joining("/")));
    }

    /** Two users, or two tags of one, that differ only in what cannot stand in a key are told apart by a hash. */
    private static String asPart(String given) {
        String clean = NOT_IN_A_NAME.matcher(given).replaceAll("-");
        return clean.equals(given) ? clean : clean + "#" + hash(given);
    }

    private static String shortened(String part) {
        return part.length() <= LONGEST_PART ? part : part.substring(0, LONGEST_PART - HASHED - 1) + "#" + hash(part);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASHED / 2);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
