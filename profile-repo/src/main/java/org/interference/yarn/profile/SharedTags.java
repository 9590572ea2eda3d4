package org.interference.yarn.profile;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The application tags by which all users mean the same kind of task, so that one learns from the tasks of another. Immutable.
 *
 * @param all whether every tag is one
 * @param tags without their {@code ifc:}; those that are where not all are
 */
public record SharedTags(boolean all, Set<String> tags) {
    /** Everybody's tags are his own. */
    public static final SharedTags NONE = new SharedTags(false, Set.of());

    private static final String NO_TAG = "none";
    private static final String EVERY_TAG = "all";

    public SharedTags {
        tags = Set.copyOf(tags);
    }

    /**
     * Reads a setting.
     *
     * @throws IllegalArgumentException if it names nothing, or something with the prefix
     */
    static SharedTags parse(String text) {
        if (text.equals(NO_TAG)) {
            return NONE;
        }
        if (text.equals(EVERY_TAG)) {
            return new SharedTags(true, Set.of());
        }
        Set<String> named =
                Arrays.stream(text.split(",", -1)).map(String::strip).collect(Collectors.toSet());
        if (named.stream().anyMatch(tag -> tag.isEmpty() || tag.startsWith(TaskIdentity.TAG))) {
            throw new IllegalArgumentException("a tag is a text without " + TaskIdentity.TAG);
        }
        return new SharedTags(false, named);
    }

    /** Returns whether {@code tag} is one. */
    boolean has(String tag) {
        return all || tags.contains(tag);
    }
}
