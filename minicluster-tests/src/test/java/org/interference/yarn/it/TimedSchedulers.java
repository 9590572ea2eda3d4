package org.interference.yarn.it;

import com.google.common.util.concurrent.MoreExecutors;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.Surroundings;

/** Both schedulers, with time and the background's turns as a test wants them. */
final class TimedSchedulers {
    private TimedSchedulers() {}

    /** One scheduler's time. */
    static final class Time {
        private final ByHand background = new ByHand();
        /** Behind YARN's own clock, which says when containers are made: they are after what happened here before. */
        private Instant now = Instant.now().minus(Duration.ofHours(1));

        Instant now() {
            return now;
        }

        /** Lets seconds pass, and then the background have one turn. */
        void pass(long seconds) {
            now = now.plusSeconds(seconds);
            background.turn();
        }

        private Surroundings surroundings(Surroundings real) {
            InstantSource clock = () -> now;
            return new Surroundings(
                    clock,
                    MoreExecutors.newDirectExecutorService(),
                    background,
                    MoreExecutors.newDirectExecutorService(),
                    new Random(1),
                    () -> 0,
                    real.learnt());
        }
    }

    interface Timed {
        Time time();
    }

    public static final class OurCapacity extends InterferenceAwareScheduler implements Timed {
        private final Time time = new Time();

        @Override
        protected Surroundings surroundings() {
            return time.surroundings(super.surroundings());
        }

        @Override
        public Time time() {
            return time;
        }
    }

    public static final class OurFair extends InterferenceAwareFairScheduler implements Timed {
        private final Time time = new Time();

        @Override
        protected Surroundings surroundings() {
            return time.surroundings(super.surroundings());
        }

        @Override
        public Time time() {
            return time;
        }
    }
}
