package org.interference.yarn.nm.collect;

import java.util.Objects;

/**
 * A running container, as the NodeManager knows it.
 *
 * @param id the container id as YARN writes it
 * @param rootPid the process that the NodeManager launched; the others of the container descend from it
 */
public record WatchedContainer(String id, long rootPid) {
    public WatchedContainer {
        Objects.requireNonNull(id, "id is null");
    }
}
