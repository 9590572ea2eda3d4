package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTimesTest {
    private static final long MICRO = 1000;

    private final DecisionTimes times = new DecisionTimes();

    @Test
    void eachBoundCountsWhatTookAsLongOrLess() {
        times.record(0);
        times.record(10 * MICRO);
        times.record(10 * MICRO + 1);
        times.record(900_000 * MICRO);

        DecisionTimes.Snapshot snapshot = times.snapshot();

        assertThat(snapshot.withinMicros())
                .containsEntry(10, 2L)
                .containsEntry(20, 3L)
                .containsEntry(500_000, 3L)
                .containsEntry(1_000_000, 4L);
        assertThat(snapshot.count()).isEqualTo(4);
        assertThat(snapshot.sum()).isEqualTo(Duration.ofNanos(900_020 * MICRO + 1));
    }

    @Test
    void whatTookLongerThanEveryBoundIsCountedAllTheSame() {
        times.record(3_600_000_000_000L);

        assertThat(times.snapshot().withinMicros().values()).containsOnly(0L);
        assertThat(times.snapshot().count()).isEqualTo(1);
    }

    @Test
    void boundsGoFromTenMicrosecondsToASecondWithoutAGap() {
        List<Integer> bounds = new ArrayList<>(times.snapshot().withinMicros().keySet());

        assertThat(bounds).startsWith(10).endsWith(1_000_000);
        for (int i = 1; i < bounds.size(); i++) {
            assertThat((double) bounds.get(i) / bounds.get(i - 1)).isBetween(2.0, 2.5);
        }
    }

    @Test
    void nothingIsLostWhenThreadsRecordAtOnce() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < 10_000; n++) {
                    times.record(15 * MICRO);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(times.snapshot().withinMicros()).containsEntry(10, 0L).containsEntry(20, 40_000L);
        assertThat(times.snapshot().sum()).isEqualTo(Duration.ofMillis(600));
    }
}
