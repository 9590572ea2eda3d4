package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void bytesAreThoseOfTheReport() {
        Usage usage = usage(Map.of(Signal.READB, level(1000), Signal.WRITEB, level(500)));

        assertThat(usage.amount(Quantity.READ_BYTES)).hasValue(10_000);
        assertThat(usage.amount(Quantity.WRITTEN_BYTES)).hasValue(5_000);
        assertThat(usage.diskRate()).hasValue(1500);
    }

    @Test
    void bytesThatAreNotCountedAreAbsent() {
        Usage usage = usage(Map.of(Signal.READB, new Reading.Unavailable("it needs intpd", "cgroup")));

        assertThat(usage.amounts()).isEmpty();
    }

    /** As control groups of version 1 count them. */
    @Test
    void readsAloneAreNoUseOfTheDisks() {
        Usage usage = usage(Map.of(
                Signal.READB, level(1 << 24), Signal.WRITEB, new Reading.Unavailable("written back later", "cgroup")));

        assertThat(usage.diskBytes()).isEmpty();
        assertThat(usage.diskRate()).isEmpty();
        assertThat(Gain.ofAllBytes(Map.of("c", usage), Map.of("c", usage))).isEmpty();
    }

    private static Usage usage(Map<Signal, Reading> readings) {
        return Usage.of(new ContainerReport("c", Duration.ofSeconds(10), false, readings), OptionalDouble.empty());
    }

    private static Reading level(double level) {
        return new Reading.Measured(level, level, level, false, "test");
    }
}
