package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/** A placebo: what was learnt, of another application. */
public final class Shuffled {
    private Shuffled() {}

    /**
     * Returns {@code profiles}, each with the signals of another kind of task, on every level of keys: in every queue and of every user those of the same one, and no kind with its
     * own. What is of one kind alone on its level, as the whole cluster's, stays; so do how long tasks run, what they were given, and by what a key is divided.
     */
    public static List<TaskProfile> of(Collection<TaskProfile> profiles, long seed) {
        Map<TaskKey.Level, List<TaskProfile>> byLevel = profiles.stream()
                .sorted(Comparator.comparing(profile -> profile.key().text()))
                .collect(Collectors.groupingBy(profile -> profile.key().level(), TreeMap::new, Collectors.toList()));
        List<TaskProfile> shuffled = new ArrayList<>();
        byLevel.values().forEach(level -> shuffled.addAll(ofOneLevel(level, new Random(seed))));
        return shuffled;
    }

    private static List<TaskProfile> ofOneLevel(List<TaskProfile> profiles, Random random) {
        Map<String, List<TaskProfile>> byKind = profiles.stream()
                .collect(Collectors.groupingBy(profile -> kind(profile.key()), TreeMap::new, Collectors.toList()));
        List<String> kinds = new ArrayList<>(byKind.keySet());
        Collections.shuffle(kinds, random);
        List<TaskProfile> shuffled = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            List<TaskProfile> owners = byKind.get(kinds.get(i));
            List<TaskProfile> others = byKind.get(kinds.get((i + 1) % kinds.size()));
            for (int j = 0; j < owners.size(); j++) {
                shuffled.add(with(owners.get(j), others.get(j % others.size())));
            }
        }
        return shuffled;
    }

    /** Returns type, name and role of a key that has them; all of any other. */
    private static String kind(TaskKey key) {
        boolean named = key.level() == TaskKey.Level.NAME || key.level() == TaskKey.Level.VARIANT;
        String[] parts = key.text().split("/", -1);
        return named && parts.length > 3 ? parts[0] + "/" + parts[1] + "/" + parts[2] : key.text();
    }

    private static TaskProfile with(TaskProfile own, TaskProfile other) {
        return new TaskProfile(
                own.key(),
                own.samples(),
                other.signals(),
                own.runTimes(),
                own.mixture(),
                own.footprint(),
                own.updated());
    }
}
