package org.interference.yarn.sim.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.sim.workload.SimJob;

/** A placebo: by what name the scheduler gets to know an application, none by its own of those that it knows. Pure. */
final class MistakenNames {
    private MistakenNames() {}

    /** Returns them by the right name; none under a policy that is not mistaken. */
    static Map<String, String> of(Simulation.Setup setup, List<SimJob> jobs) {
        return setup.policy().isMistaken() ? of(jobs, setup.known(), setup.seed()) : Map.of();
    }

    /** Returns the name of another one for each that something is known of; of those that nothing is known of none. */
    static Map<String, String> of(List<SimJob> jobs, Knowledge known, long seed) {
        Set<TaskKey> keys = new HashSet<>();
        known.profiles().stream().map(TaskProfile::key).forEach(keys::add);
        Set<String> names = new TreeSet<>();
        for (SimJob job : jobs) {
            SimulatedJob asItIs = new SimulatedJob(0, job, job.name(), ResourceManagerDriver.attempt(0));
            boolean isKnown = asItIs.kinds().stream()
                    .map(kind -> asItIs.identity(kind).keys().get(0))
                    .anyMatch(keys::contains);
            if (isKnown) {
                names.add(job.name());
            }
        }
        List<String> inOrder = new ArrayList<>(names);
        Collections.shuffle(inOrder, new Random(seed));
        Map<String, String> mistaken = new HashMap<>();
        for (int i = 0; i < inOrder.size(); i++) {
            mistaken.put(inOrder.get(i), inOrder.get((i + 1) % inOrder.size()));
        }
        return mistaken;
    }
}
