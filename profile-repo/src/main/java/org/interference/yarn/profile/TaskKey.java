package org.interference.yarn.profile;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Under what a profile is filed: all tasks with this key are taken to be of one kind.
 *
 * @param text for people and for the store, for example {@code mapreduce/terasort/map/default/ann}
 */
public record TaskKey(Level level, String text) {
    /** With what {@link Mixture} divides a key. */
    private static final Pattern PART = Pattern.compile("[@~].*");
    /** All that it may add to one: a launch, then on which side of a boundary. */
    private static final Pattern ADDED = Pattern.compile("(@[0-9a-f]{16})?(~[a-z]+[-+])?");

    /** How much a key says, most specific first. The name is the store's. */
    public enum Level {
        /** The user named the kind of task by an application tag: {@code ifc:}user, tag and role; {@code :all} for the user where all share the tag. */
        TAG,
        /** As {@link #NAME}, with the short numbers that end a word left in: {@code q14} is not {@code q15}. */
        VARIANT,
        /** Application type, normalised application name, role, queue and user. */
        NAME,
        /**
         * What tasks are alike by what they press on, whatever they are. Stands in for one that was seen too seldom; never in
         * the store.
         */
        CLASS,
        /** Application type, role and user. */
        USER,
        /** Application type and role. */
        ROLE,
        /** Queue. */
        QUEUE,
        /** The whole cluster. */
        CLUSTER;

        /** Whether tasks of different users share every such key. */
        public boolean isShared() {
            return this == ROLE || this == QUEUE || this == CLUSTER;
        }

        /** Whether tasks of different programs share such a key. */
        public boolean isCoarse() {
            return compareTo(NAME) > 0;
        }
    }

    public TaskKey {
        Objects.requireNonNull(level, "level is null");
        Objects.requireNonNull(text, "text is null");
    }

    /** The same in every process, which an enum's is not: what is kept by keys has one order then. */
    @Override
    public int hashCode() {
        return 31 * level.name().hashCode() + text.hashCode();
    }

    /** Whether tasks of different users share it. */
    public boolean isShared() {
        return level.isShared() || (level == Level.TAG && text.startsWith(TaskIdentity.SHARED_TAG));
    }

    /** Returns the application type, in lower case; empty where the key says none. */
    public Optional<String> type() {
        return level == Level.CLASS || level == Level.TAG || level == Level.QUEUE || level == Level.CLUSTER
                ? Optional.empty()
                : part(0);
    }

    /** Returns what the tasks do in their application; empty where the key is coarse. */
    public Optional<String> role() {
        return level.isCoarse() ? Optional.empty() : part(2);
    }

    /** Returns the queue; empty where the key says none. */
    public Optional<String> queue() {
        return level == Level.NAME || level == Level.VARIANT ? part(3) : Optional.empty();
    }

    /** Returns one of the parts, without what tells parts of a key apart. */
    private Optional<String> part(int number) {
        String[] parts = text.split("/", -1);
        return number < parts.length
                ? Optional.of(PART.matcher(parts[number]).replaceFirst("")).filter(part -> !part.isEmpty())
                : Optional.empty();
    }

    /** Returns whether this is the key of that text, or of a part of what is filed there. */
    boolean isOf(String whole) {
        return text.startsWith(whole)
                && ADDED.matcher(text.substring(whole.length())).matches();
    }

    /** Returns the key of a part of what is filed here; {@code suffix} is one that {@link Mixture} gave. */
    TaskKey part(String suffix) {
        return new TaskKey(level, text + suffix);
    }
}
