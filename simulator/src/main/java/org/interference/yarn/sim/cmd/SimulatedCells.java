package org.interference.yarn.sim.cmd;

import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.trace.SwimReplay;

/** Stand-in. */
final class SimulatedCells implements Cells {
    @Override
    public List<Choice> worlds() {
        return List.of(new Choice("none", "d"));
    }

    @Override
    public List<Choice> policies() {
        return List.of(new Choice("fair", "d"), new Choice("ours-warm", "e"));
    }

    @Override
    public List<Pattern> patterns() {
        return List.of(new SwimReplay());
    }

    @Override
    public String baseline() {
        return "fair";
    }

    @Override
    public Map<Metric, Double> run(Cell cell, long seed) {
        return Map.of();
    }
}
