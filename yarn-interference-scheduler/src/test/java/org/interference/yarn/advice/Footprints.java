package org.interference.yarn.advice;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.RunTimes;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/** Kinds of task as they would have been seen. */
final class Footprints {
    static final double GIB = 1 << 30;
    static final double MACHINE = 64 * GIB;
    static final TaskKey MAP = new TaskKey(TaskKey.Level.NAME, "mapreduce/sort/map/default/ann");

    private Footprints() {}

    /** Returns {@code footprint} with {@code tasks} more, which were given 4 GiB and two vcores, ran for {@code time} and used one CPU. */
    static Footprint with(Footprint footprint, int tasks, double peakBytes, Duration time) {
        Footprint next = footprint;
        for (int i = 0; i < tasks; i++) {
            next = next.with(new ResourceUse(
                    4 * GIB, 2, time.toSeconds(), peakBytes, peakBytes / 2, OptionalDouble.of(1), MACHINE, false));
        }
        return next;
    }

    static Footprint of(int tasks, double peakBytes) {
        return with(Footprint.NONE, tasks, peakBytes, Duration.ofHours(1));
    }

    static TaskProfile profile(TaskKey key, Footprint footprint) {
        return profile(key, footprint, Mixture.NONE);
    }

    static TaskProfile profile(TaskKey key, Footprint footprint, Mixture mixture) {
        RunTimes runTimes = new RunTimes(Averages.constant(1, 10), Averages.NONE, Averages.NONE);
        return new TaskProfile(key, 1, Map.of(), runTimes, mixture, footprint, Instant.EPOCH);
    }
}
