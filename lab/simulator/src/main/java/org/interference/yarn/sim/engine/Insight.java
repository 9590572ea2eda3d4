package org.interference.yarn.sim.engine;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.event.Event;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.profile.TaskIdentity;

/**
 * What one run offers to the scheduler that a policy makes for it. Immutable.
 *
 * @param seed of the run
 * @param known learnt in training; nothing for a policy that starts cold
 * @param kept where a policy that learns keeps it
 * @param next who the next task of an attempt is, as the ResourceManager knows it
 * @param everySecond takes what is to be run once in every virtual second
 * @param toResourceManager takes an event for its dispatcher
 * @param everything only for who knows the truth
 */
public record Insight(
        long seed,
        InstantSource clock,
        Knowledge known,
        LearntStore kept,
        Function<ApplicationAttemptId, Optional<TaskIdentity>> next,
        Consumer<Runnable> everySecond,
        Consumer<Event<?>> toResourceManager,
        Omniscience everything) {}
