package org.interference.yarn.nm.control;

import java.util.Objects;
import java.util.Optional;
import org.interference.yarn.signal.LaunchSignature;

/**
 * One running container as the controller sees it.
 *
 * @param applicationMaster whether an application hangs on it; such a container is never confined
 * @param program what was launched, where the node can tell
 * @param total what it used since it was first seen
 */
public record ContainerObservation(
        String container, boolean applicationMaster, Optional<LaunchSignature> program, Usage total) {
    public ContainerObservation {
        Objects.requireNonNull(container, "container is null");
        Objects.requireNonNull(program, "program is null");
        Objects.requireNonNull(total, "total is null");
    }
}
