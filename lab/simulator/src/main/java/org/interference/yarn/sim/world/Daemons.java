package org.interference.yarn.sim.world;

import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * What runs on nodes and is none of YARN's, for as long as they are up. Immutable.
 *
 * @param load of the daemon, as of a task; that it is slowed down is nobody's loss
 * @param everyNthNode every so many nodes one has the daemon, the first one among them; 0 for none
 */
public record Daemons(SimTaskKind load, int everyNthNode) {
    private static final String APPLICATION = "daemon";

    static final Daemons NONE = new Daemons(new SimTaskKind(APPLICATION, Map.of()), 0);

    /** Returns the daemons of the node with this index. */
    public List<Load> on(int node) {
        return everyNthNode == 0 || node % everyNthNode != 0 ? List.of() : List.of(new Load(APPLICATION, load, 0));
    }

    /** Returns whether {@code load} is a daemon's. */
    public static boolean isDaemon(Load load) {
        return load.application().equals(APPLICATION);
    }
}
