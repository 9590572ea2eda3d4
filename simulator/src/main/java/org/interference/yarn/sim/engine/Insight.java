package org.interference.yarn.sim.engine;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;

/**
 * What one run offers to the scheduler that a policy makes for it. Immutable.
 *
 * @param seed of the run
 * @param profiles learnt in training; empty for a policy that starts cold
 * @param next who the next task of an attempt is, as the ResourceManager knows it
 * @param everything only for ceilings
 */
public record Insight(
        long seed,
        InstantSource clock,
        List<TaskProfile> profiles,
        Function<ApplicationAttemptId, Optional<TaskIdentity>> next,
        Omniscience everything) {
    public Insight {
        profiles = List.copyOf(profiles);
    }
}
