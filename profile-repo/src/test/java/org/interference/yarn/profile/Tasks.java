package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/** Tasks and their samples as situations. */
public final class Tasks {
    public static final Instant T0 = Instant.parse("2024-05-06T07:08:09Z");

    private Tasks() {}

    public static TaskIdentity map(String job) {
        return TaskIdentity.of("MAPREDUCE", job, "map", "default", Optional.empty());
    }

    public static TaskIdentity taggedMap(String job, String tag) {
        return TaskIdentity.of("MAPREDUCE", job, "map", "default", Optional.of(tag));
    }

    public static TaskSample sample(TaskIdentity task, double cpu) {
        return new TaskSample(task, new InterferenceVector(Map.of(Signal.CPU, cpu)), Duration.ofSeconds(30), T0);
    }
}
