package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
    @Test
    void stolenTimeIsAShareOfAllTimeWithoutCountingGuestsTwice() {
        CpuTime before = CpuTime.of("cpu  100 0 50 800 10 0 0 40 100 0\ncpu0 1 2 3\n", Duration.ofSeconds(1));
        CpuTime after = CpuTime.of("cpu  150 0 50 838 10 0 0 42 150 0\n", Duration.ofSeconds(4));

        CpuTime spent = after.since(before);

        assertThat(spent.ticks()).isEqualTo(90);
        assertThat(spent.stolenPercent()).isEqualTo(100.0 * 2 / 90);
        assertThat(spent.processSeconds()).isEqualTo(3);
    }
}
