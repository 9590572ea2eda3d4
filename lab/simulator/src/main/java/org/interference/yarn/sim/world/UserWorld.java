package org.interference.yarn.sim.world;

import java.util.List;
import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * A world that a user has described. Immutable.
 *
 * @param kinds of the tasks that run in it, one at least
 */
public record UserWorld(World world, List<SimTaskKind> kinds) {
    public UserWorld {
        kinds = List.copyOf(kinds);
    }
}
