package org.interference.yarn.capacity.yarn;

import java.util.Objects;
import java.util.OptionalLong;
import org.interference.yarn.capacity.Size;

/**
 * What outlives a ResourceManager of a node that was given another size. Immutable.
 *
 * @param configured what anybody but us gave it lately
 * @param nodeSince when the NodeManager that it was given to began, in ms since the epoch by the node's clock: one that began later registers with its own
 *     configuration again. Empty if nobody knows
 */
public record KeptSize(Size configured, OptionalLong nodeSince) {
    public KeptSize {
        Objects.requireNonNull(configured, "configured is null");
        Objects.requireNonNull(nodeSince, "nodeSince is null");
    }
}
