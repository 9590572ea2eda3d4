package org.interference.yarn.nm.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutOfBandHeartbeatsTest {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration GAP = Duration.ofMillis(250);

    private final Later thread = new Later();
    private final Failures failures = new Failures(LoggerFactory.getLogger(OutOfBandHeartbeatsTest.class));
    private final List<Long> sentAt = new ArrayList<>();

    /** Runs what it was given when the time has come, which the test lets pass. */
    private static final class Later extends ScheduledThreadPoolExecutor {
        private final PriorityQueue<Due> due = new PriorityQueue<>();
        private long now = 1_000_000_007;

        private record Due(long at, Runnable task) implements Comparable<Due> {
            @Override
            public int compareTo(Due other) {
                return Long.compare(at, other.at);
            }
        }

        Later() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            due.add(new Due(now + unit.toNanos(delay), task));
            return null;
        }

        void pass(Duration time) {
            long end = now + time.toNanos();
            while (!due.isEmpty() && due.peek().at <= end) {
                Due next = due.remove();
                now = next.at;
                next.task.run();
            }
            now = end;
        }
    }

    @Test
    void endOfAShortTaskIsSentAtOnceAndThatOfALongOneIsNot() {
        OutOfBandHeartbeats heartbeats = heartbeats(SHORT);

        heartbeats.ended(SHORT);
        assertThat(sentAt).isEmpty();
        heartbeats.ended(SHORT.minusMillis(1));
        assertThat(sentAt).hasSize(1);
    }

    @Test
    void stormOfShortTasksIsTwoHeartbeatsAGapApart() {
        OutOfBandHeartbeats heartbeats = heartbeats(SHORT);
        long began = thread.now;

        for (int task = 0; task < 1000; task++) {
            heartbeats.ended(Duration.ofMillis(task));
        }
        thread.pass(Duration.ofHours(1));

        assertThat(sentAt).containsExactly(began, began + GAP.toNanos());
    }

    @Test
    void whoEndsAfterTheGapIsSentAtOnce() {
        OutOfBandHeartbeats heartbeats = heartbeats(SHORT);
        heartbeats.ended(Duration.ZERO);
        thread.pass(GAP);

        heartbeats.ended(Duration.ZERO);

        assertThat(sentAt).hasSize(2);
    }

    @Test
    void zeroSwitchesItOff() {
        OutOfBandHeartbeats heartbeats = heartbeats(Duration.ZERO);

        heartbeats.ended(Duration.ZERO);
        thread.pass(Duration.ofHours(1));

        assertThat(sentAt).isEmpty();
    }

    @Test
    void nodeManagerThatFailsIsCountedAndAskedAgain() {
        OutOfBandHeartbeats heartbeats = new OutOfBandHeartbeats(
                SHORT,
                Duration.ZERO,
                () -> {
                    throw new IllegalStateException("no updater");
                },
                () -> thread.now,
                thread,
                failures);

        heartbeats.ended(Duration.ZERO);
        heartbeats.ended(Duration.ZERO);

        assertThat(failures.total()).isEqualTo(2);
    }

    private OutOfBandHeartbeats heartbeats(Duration shortTask) {
        return new OutOfBandHeartbeats(
                shortTask, GAP, () -> sentAt.add(thread.now), () -> thread.now, thread, failures);
    }
}
