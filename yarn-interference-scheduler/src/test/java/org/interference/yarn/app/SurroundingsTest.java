package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class SurroundingsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void whatMayHangHasAThreadOfItsOwn() {
        Surroundings surroundings = Surroundings.ofThisMachine();

        assertThat(List.of(
                        surroundings.decoding(),
                        surroundings.background(),
                        surroundings.slow(),
                        surroundings.storage(),
                        surroundings.snapshots()))
                .doesNotHaveDuplicates()
                .allSatisfy(ExecutorService::shutdownNow);
    }

    @Test
    void aWallClockThatIsSetBackStopsNothing() {
        AtomicReference<Instant> wall = new AtomicReference<>(START);
        AtomicLong nanoTime = new AtomicLong();
        Surroundings surroundings = Surroundings.ofThisMachine(wall::get, nanoTime::get);
        try {
            wall.set(START.minus(Duration.ofHours(1)));
            nanoTime.set(Duration.ofSeconds(10).toNanos());

            assertThat(surroundings.clock().instant()).isEqualTo(START.plusSeconds(10));
        } finally {
            surroundings.decoding().shutdownNow();
            surroundings.background().shutdownNow();
            surroundings.slow().shutdownNow();
        }
    }

    @Test
    void whatYarnSaysBeganIsByItsOwnClockAsLongAgo() {
        AtomicReference<Instant> wall = new AtomicReference<>(START);
        AtomicLong nanoTime = new AtomicLong();
        Surroundings surroundings = Surroundings.ofThisMachine(wall::get, nanoTime::get);
        try {
            wall.set(START.minus(Duration.ofHours(1)));
            nanoTime.set(Duration.ofSeconds(10).toNanos());
            long created = wall.get().toEpochMilli();
            wall.set(wall.get().plusSeconds(5));
            nanoTime.addAndGet(Duration.ofSeconds(5).toNanos());

            assertThat(surroundings.began(created)).isEqualTo(START.plusSeconds(10));
            assertThat(surroundings.began(START.toEpochMilli()))
                    .as("not later than now")
                    .isEqualTo(START.plusSeconds(15));
        } finally {
            surroundings.decoding().shutdownNow();
            surroundings.background().shutdownNow();
            surroundings.slow().shutdownNow();
        }
    }
}
