package org.interference.yarn.nm.collect;

import java.util.Objects;
import java.util.Optional;

/**
 * A running container, as the NodeManager knows it.
 *
 * @param id the container id as YARN writes it
 * @param rootPid the process that the NodeManager launched; the others of the container descend from it
 * @param user whose name its work folders are under; empty where the NodeManager does not tell
 */
public record WatchedContainer(String id, long rootPid, Optional<String> user) {
    public WatchedContainer {
        Objects.requireNonNull(id, "id is null");
        Objects.requireNonNull(user, "user is null");
    }

    /** A container of which it is not told whose it is. */
    public WatchedContainer(String id, long rootPid) {
        this(id, rootPid, Optional.empty());
    }
}
