package org.interference.yarn.profile;

import java.util.Objects;

/**
 * Under what a profile is filed: all tasks with this key are taken to be of one kind.
 *
 * @param text for people and for the store, for example {@code mapreduce/terasort/map/default}
 */
public record TaskKey(Level level, String text) {
    /** How much a key says, most specific first. */
    public enum Level {
        /** The user named the kind of task by an application tag. */
        TAG,
        /** Application type, normalised application name, role and queue. */
        NAME
    }

    public TaskKey {
        Objects.requireNonNull(level, "level is null");
        Objects.requireNonNull(text, "text is null");
    }
}
