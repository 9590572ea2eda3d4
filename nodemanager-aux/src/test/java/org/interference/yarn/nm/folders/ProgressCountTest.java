package org.interference.yarn.nm.folders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.interference.yarn.nm.collect.Count;
import org.junit.jupiter.api.Test;

class ProgressCountTest {
    private final ProgressCount first = ProgressCount.first(100, seconds(1));

    @Test
    void operationsAreCountedFromTheFirstReadingOn() {
        ProgressCount now = first.with(150, seconds(3)).with(150, seconds(4)).with(250, seconds(5));

        assertThat(now.count()).isEqualTo(new Count.Counted(150, 4, false, "application", 0));
    }

    @Test
    void numberThatGoesBackStartsAnew() {
        ProgressCount again = first.with(150, seconds(2)).with(10, seconds(3));
        assertThat(again.count()).isEqualTo(new Count.Counted(0, 0, false, "application", 1));

        assertThat(again.with(30, seconds(4)).count()).isEqualTo(new Count.Counted(20, 1, false, "application", 1));
    }

    /** A report of it would be taken for an absurd one, with all that it says of the container. */
    @Test
    void growthThatNobodyCanHaveStartsAnew() {
        ProgressCount fast = first.with(1e15, seconds(1) + 1000);

        assertThat(fast.count()).isEqualTo(new Count.Counted(0, 0, false, "application", 1));
    }

    @Test
    void readingAtTheSameMomentIsNone() {
        assertThat(first.with(200, seconds(1))).isEqualTo(first);
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
