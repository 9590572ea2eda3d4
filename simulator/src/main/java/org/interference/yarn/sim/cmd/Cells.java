package org.interference.yarn.sim.cmd;

import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.Pattern;

/** What can be simulated, and the running of it. */
interface Cells {
    /** One of the names that a user may give. */
    record Choice(String name, String describes) {}

    /** One world, one workload, one policy on one cluster. */
    record Cell(String world, Pattern pattern, String policy, int nodes, int slotsPerNode) {}

    List<Choice> worlds();

    List<Choice> policies();

    List<Pattern> patterns();

    /** Returns the policy that every other one is compared with. */
    String baseline();

    /** Returns what one run came to. Pure: the same cell and seed give the same measures. */
    Map<Metric, Double> run(Cell cell, long seed);
}
