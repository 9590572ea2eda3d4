package org.interference.yarn.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** {@link System#nanoTime} may begin anywhere, and overflow. */
    @ParameterizedTest(name = "the wall clock steps by {0} s")
    @ValueSource(longs = {-3600, 3600, 0})
    void goesOnSteadilyWhileTheWallClockSteps(long step) {
        AtomicReference<Instant> wall = new AtomicReference<>(START);
        AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);
        SteadyClock clock = new SteadyClock(wall::get, nanoTime::get);
        assertThat(clock.instant()).isEqualTo(START);

        wall.set(START.plusSeconds(step));
        nanoTime.addAndGet(Duration.ofMillis(250).toNanos());

        assertThat(clock.instant()).isEqualTo(START.plusMillis(250));
    }
}
