package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.sim.engine.Insight;

/** A placebo: what was learnt, of another application. */
public final class Shuffled {
    private Shuffled() {}

    static List<TaskProfile> profiles(Insight insight) {
        return of(insight.known().profiles(), insight.seed());
    }

    /** Returns {@code profiles} with their signals shuffled, the same way on every level of keys; how long tasks run stays theirs. */
    public static List<TaskProfile> of(Collection<TaskProfile> profiles, long seed) {
        Map<String, List<TaskProfile>> byLevel = new LinkedHashMap<>();
        for (TaskProfile profile : profiles) {
            byLevel.computeIfAbsent(profile.key().level().name(), level -> new ArrayList<>())
                    .add(profile);
        }
        List<TaskProfile> shuffled = new ArrayList<>();
        for (String level : new TreeSet<>(byLevel.keySet())) {
            List<TaskProfile> owners = byLevel.get(level);
            List<TaskProfile> others = new ArrayList<>(owners);
            Collections.shuffle(others, new Random(seed));
            for (int i = 0; i < owners.size(); i++) {
                TaskProfile own = owners.get(i);
                shuffled.add(new TaskProfile(
                        own.key(),
                        own.samples(),
                        others.get(i).signals(),
                        own.runTimes(),
                        Mixture.NONE,
                        own.footprint(),
                        own.updated()));
            }
        }
        return shuffled;
    }
}
