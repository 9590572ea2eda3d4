package org.interference.yarn.nm.cgroup;

import java.nio.file.Path;

/** One thing that was, or is about to be, done to the node, with what is needed to undo it. */
sealed interface Undo {
    /** What was made or changed. */
    Path path();

    /** Which part of it: one device's line, one controller of a list; empty for the whole. */
    default String part() {
        return "";
    }

    /** Whether both are of the same thing, of which one state only can be restored. */
    default boolean isOfTheSame(Undo other) {
        return path().equals(other.path()) && part().equals(other.part());
    }

    /**
     * A group was made.
     *
     * @param origin the group whose processes were moved into it, to which they go back
     */
    record Made(Path path, Path origin) implements Undo {}

    /**
     * A file was written.
     *
     * @param before the text to write for what was there before
     */
    record Changed(Path path, String part, String before) implements Undo {}
}
