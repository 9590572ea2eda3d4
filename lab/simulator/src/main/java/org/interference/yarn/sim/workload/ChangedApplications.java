package org.interference.yarn.sim.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * What was run before some applications became other programs: under the name of each of these the jobs of another one of them. Immutable.
 *
 * @param names that jobs have, by those that they have now
 */
record ChangedApplications(Pattern pattern, Map<String, String> names) implements Pattern {
    private static final long SEED = 20_261_129;

    ChangedApplications {
        names = Map.copyOf(names);
    }

    static ChangedApplications of(Pattern pattern, List<SimTaskKind> kinds, int perCent) {
        List<String> all =
                new ArrayList<>(kinds.stream().map(SimTaskKind::name).sorted().toList());
        Collections.shuffle(all, new Random(SEED));
        int count = Math.min(all.size(), Math.max(2, (int) Math.round(all.size() * perCent / 100.0)));
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < count; i++) {
            names.put(all.get(i), all.get((i + 1) % count));
        }
        return new ChangedApplications(pattern, names);
    }

    @Override
    public String name() {
        return pattern.name() + "-before";
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        return pattern.jobs(random, slots).stream()
                .map(job -> new SimJob(
                        names.getOrDefault(job.name(), job.name()), job.queue(), job.submitted(), job.tasks()))
                .toList();
    }
}
