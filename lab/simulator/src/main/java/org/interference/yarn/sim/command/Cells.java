package org.interference.yarn.sim.command;

import java.util.List;
import org.interference.yarn.sim.report.RunMetrics;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.world.World;

/** What can be simulated, and the running of it. */
interface Cells {
    /** One of the names that a user may give. */
    record Choice(String name, String describes) {}

    /** A pattern, and what is said of it. */
    record KnownPattern(Pattern pattern, String describes) {
        String name() {
            return pattern.name();
        }
    }

    /**
     * One world, one workload, one policy on one cluster.
     *
     * @param past what was run while the policy learnt
     */
    record Cell(World world, Pattern pattern, Pattern past, String policy, int nodes, int slotsPerNode) {}

    /** Returns the worlds that are built in. */
    List<World> worlds();

    List<Choice> policies();

    /** Returns the patterns, their tasks of {@code kinds}; the first is taken where none is asked for. */
    List<KnownPattern> patterns(List<SimTaskKind> kinds);

    /** Returns the policy that every other one is compared with. */
    String baseline();

    /**
     * Returns what one run came to; the same cell and seed give the same.
     *
     * @throws BadInputException if the policy is not for such a cell
     */
    RunMetrics run(Cell cell, long seed) throws BadInputException;
}
