package org.interference.yarn.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.interference.yarn.sim.world.DataLocality;

/** Where the tasks of one run have their input, and how their masters ask for it. */
final class Inputs {
    private final DataLocality locality;
    private final long seed;
    private final int nodes;

    Inputs(DataLocality locality, long seed, int nodes) {
        this.locality = locality;
        this.seed = seed;
        this.nodes = nodes;
    }

    /** Whether it matters where a task runs. */
    boolean matter() {
        return locality.matters();
    }

    /** Returns whether the node with that index has the task's input, or it does not matter. */
    boolean areOn(int node, SimulatedJob run, SimulatedJob.Waiting task) {
        return !matter() || copies(run, task.number()).contains(node);
    }

    /** Returns by how many times a task takes longer on that node than where its input is. */
    double cost(int node, SimulatedJob run, SimulatedJob.Waiting task) {
        return areOn(node, run, task) ? 1 : 1 + locality.remoteCost();
    }

    /** Returns how many containers are asked for by name, as MapReduce's master does: of each node with some input, of the rack and of any. */
    List<Map.Entry<String, Integer>> asked(SimulatedJob run, String kind) {
        Map<Integer, Integer> byNode = new TreeMap<>();
        if (matter()) {
            // Those of whom all tasks have begun are asked for no more, and must be told so.
            run.numbers(kind).forEach(task -> copies(run, task).forEach(node -> byNode.putIfAbsent(node, 0)));
            run.waitingTasks(kind)
                    .forEach(task -> copies(run, task.number()).forEach(node -> byNode.merge(node, 1, Integer::sum)));
        }
        int all = run.waiting(kind);
        List<Map.Entry<String, Integer>> asked = new ArrayList<>();
        byNode.forEach((node, count) ->
                asked.add(Map.entry(ResourceManagerDriver.nodeId(node).getHost(), count)));
        if (matter()) {
            asked.add(Map.entry(NetworkTopology.DEFAULT_RACK, all));
        }
        asked.add(Map.entry(ResourceRequest.ANY, all));
        return asked;
    }

    private Set<Integer> copies(SimulatedJob run, int task) {
        return locality.copies(seed, run.index(), task, nodes);
    }
}
