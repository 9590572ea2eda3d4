package org.interference.yarn.sim.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.signal.Signal;

/** Our FairScheduler in virtual time, and what it knows: tasks of even priorities use the CPU in full, those of odd ones hardly. */
final class Ours {
    static final String TAG = "any-task";
    private static final int PRIORITIES = 10;

    private Ours() {}

    /** Everything on the caller's thread, without housekeeping, by {@code clock}; decisions are timed by {@code ticker}. */
    static Surroundings surroundings(InstantSource clock, LongSupplier ticker) {
        ScheduledThreadPoolExecutor never = new ScheduledThreadPoolExecutor(0) {
            @Override
            public void execute(Runnable task) {
                task.run();
            }

            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
                ScheduledFuture<?> scheduled = super.schedule(task, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
                scheduled.cancel(false);
                return scheduled;
            }
        };
        never.setRemoveOnCancelPolicy(true);
        return new Surroundings(
                clock,
                MoreExecutors.newDirectExecutorService(),
                never,
                MoreExecutors.newDirectExecutorService(),
                new Random(1),
                ticker,
                Optional.empty());
    }

    /** On the caller's thread, and by {@code clock}; without housekeeping. */
    static final class Fair extends InterferenceAwareFairScheduler {
        private final InstantSource clock;
        private final LongSupplier ticker;

        Fair(InstantSource clock) {
            this(clock, () -> 0);
        }

        /** @param ticker by which decisions are timed */
        Fair(InstantSource clock, LongSupplier ticker) {
            this.clock = clock;
            this.ticker = ticker;
        }

        @Override
        protected Surroundings surroundings() {
            return Ours.surroundings(clock, ticker);
        }
    }

    static Configuration settings() {
        Configuration settings = SimulatedYarn.base();
        settings.set("yarn.interference.place.mode", "on");
        // Not a directory that can be made: profiles stay in memory.
        settings.set("yarn.interference.profile.store-dir", "/dev/null/profiles");
        settings.setDouble("yarn.interference.place.min-measured", 0);
        return settings;
    }

    /** Gives {@code scheduler} the profiles, if it is one of ours. */
    static void know(ResourceScheduler scheduler, Instant now) {
        if (scheduler instanceof RestHost host) {
            List<TaskProfile> profiles = IntStream.range(0, PRIORITIES)
                    .mapToObj(priority -> new TaskProfile(
                            new TaskKey(
                                    TaskKey.Level.TAG,
                                    "ifc:" + System.getProperty("user.name") + "/" + TAG + "/priority-" + priority),
                            1000,
                            Map.of(Signal.CPU, Averages.constant(1000, priority % 2 == 0 ? 0.9 : 0.1)),
                            Averages.constant(1000, 60),
                            now))
                    .toList();
            host.restSources().orElseThrow().learnt().profiles().restore(profiles);
        }
    }
}
