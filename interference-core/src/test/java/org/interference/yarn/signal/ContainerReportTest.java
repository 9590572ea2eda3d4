package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerReportTest {
    private static final ContainerReport ONE_OF_TWO_MEASURED = new ContainerReport(
            "container_1_0001_01_000002",
            Duration.ofSeconds(30),
            false,
            Map.of(
                    Signal.CPU,
                    new Reading.Measured(0.25, 0.5, 0.75, false, "proc"),
                    Signal.MBW,
                    new Reading.Unavailable("no PMU", "ebpf")));

    @Test
    void newestHoldsTheLevelsOfTheNewestWindowOnly() {
        assertThat(ONE_OF_TWO_MEASURED.newest()).isEqualTo(new InterferenceVector(Map.of(Signal.CPU, 0.25)));
    }

    @Test
    void meanHoldsTheLevelsOfTheWholeTimeOnly() {
        assertThat(ONE_OF_TWO_MEASURED.mean()).isEqualTo(new InterferenceVector(Map.of(Signal.CPU, 0.5)));
    }

    @Test
    void signatureIsReadAsSixteenDigitsWhateverItsBits() {
        assertThat(new LaunchSignature(0xfL)).hasToString("000000000000000f");
        assertThat(new LaunchSignature(-1)).hasToString("ffffffffffffffff");
    }
}
