package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ThreadCountsTest {
    @Test
    void schedstatHoldsCpuTimeThenWait() {
        assertThat(ThreadCounts.parse("59719 44246 2\n"))
                .contains(new ThreadCounts(59_719, 44_246, OptionalLong.empty()));
    }

    @Test
    void emptySchedstatIsNoCount() {
        assertThat(ThreadCounts.parse("")).isEmpty();
        assertThat(ThreadCounts.parse("a b c")).isEmpty();
    }

    @Test
    void blockDelayIsField42InHundredthsOfASecond() {
        String stat = "7 (a) b) D 1 7 7 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36"
                + " 37 17 1 0 0 12 0 0";

        ThreadCounts counts = new ThreadCounts(1, 2, OptionalLong.empty()).withBlockDelay(stat);

        assertThat(counts).isEqualTo(new ThreadCounts(1, 2, OptionalLong.of(120_000_000)));
    }

    @Test
    void statWithoutField42LeavesTheDelayUnknown() {
        ThreadCounts counts = new ThreadCounts(1, 2, OptionalLong.empty());

        assertThat(counts.withBlockDelay("7 (a) S 1 7 7")).isEqualTo(counts);
    }
}
