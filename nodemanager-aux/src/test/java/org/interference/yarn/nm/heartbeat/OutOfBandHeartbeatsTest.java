package org.interference.yarn.nm.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class OutOfBandHeartbeatsTest {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration GAP = Duration.ofMillis(250);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Failures failures = new Failures(LoggerFactory.getLogger(OutOfBandHeartbeatsTest.class));
    private final List<Long> sentAt = new CopyOnWriteArrayList<>();
    private final CountDownLatch two = new CountDownLatch(2);

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Test
    void endOfAShortTaskIsSentAtOnceAndThatOfALongOneIsNot() throws Exception {
        OutOfBandHeartbeats heartbeats = heartbeats(SHORT);

        onTheThread(() -> heartbeats.ended(SHORT));
        assertThat(sentAt).isEmpty();
        onTheThread(() -> heartbeats.ended(SHORT.minusMillis(1)));
        assertThat(sentAt).hasSize(1);
    }

    @Test
    void stormOfShortTasksIsTwoHeartbeatsAGapApart() throws Exception {
        OutOfBandHeartbeats heartbeats = heartbeats(SHORT);

        onTheThread(() -> {
            for (int task = 0; task < 1000; task++) {
                heartbeats.ended(Duration.ofMillis(task));
            }
        });

        assertThat(two.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(sentAt).hasSize(2);
        assertThat(sentAt.get(1) - sentAt.get(0)).isGreaterThanOrEqualTo(GAP.toNanos());
    }

    @Test
    void zeroSwitchesItOff() throws Exception {
        OutOfBandHeartbeats heartbeats = heartbeats(Duration.ZERO);

        onTheThread(() -> heartbeats.ended(Duration.ZERO));

        assertThat(sentAt).isEmpty();
    }

    @Test
    void nodeManagerThatFailsIsCountedAndAskedAgain() throws Exception {
        OutOfBandHeartbeats heartbeats = new OutOfBandHeartbeats(
                SHORT,
                Duration.ZERO,
                () -> {
                    throw new IllegalStateException("no updater");
                },
                System::nanoTime,
                thread,
                failures);

        onTheThread(() -> heartbeats.ended(Duration.ZERO));
        onTheThread(() -> heartbeats.ended(Duration.ZERO));

        assertThat(failures.total()).isEqualTo(2);
    }

    private OutOfBandHeartbeats heartbeats(Duration shortTask) {
        return new OutOfBandHeartbeats(
                shortTask,
                GAP,
                () -> {
                    sentAt.add(System.nanoTime());
                    two.countDown();
                },
                System::nanoTime,
                thread,
                failures);
    }

    private void onTheThread(Runnable work) throws Exception {
        thread.submit(work).get();
    }
}
