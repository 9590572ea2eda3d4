package org.interference.yarn.nm.collect;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.signal.LaunchSignature;

/**
 * A container that a NodeManager lists and that is not over. One that is over is not listed.
 *
 * @param id the container id as YARN writes it
 * @param rootPid the process that the NodeManager launched; empty while there is none, as between two launches
 * @param launch empty where the NodeManager does not tell what was launched
 * @param user who submitted its application, whose name its work folders are under; empty where the NodeManager does not tell
 * @param waiting whether it is known not to have been launched yet, so that it will have no process before somebody tells of its launch
 */
public record ListedContainer(
        String id, OptionalLong rootPid, Optional<LaunchSignature> launch, Optional<String> user, boolean waiting) {
    public ListedContainer(String id, OptionalLong rootPid, Optional<LaunchSignature> launch) {
        this(id, rootPid, launch, Optional.empty());
    }

    public ListedContainer(String id, OptionalLong rootPid, Optional<LaunchSignature> launch, Optional<String> user) {
        this(id, rootPid, launch, user, false);
    }

    public ListedContainer {
        Objects.requireNonNull(id, "id is null");
        Objects.requireNonNull(rootPid, "rootPid is null");
        Objects.requireNonNull(launch, "launch is null");
        Objects.requireNonNull(user, "user is null");
    }
}
