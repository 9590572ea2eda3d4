package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

/** By what a task's work shows. The levels are those of lab/benchmarks/corun, of kinds alone on two CPUs. */
class WorkRatesTest {
    private static final int CPUS = 2;

    @Test
    void whoIsMostlyOnAProcessorIsMeasuredByThat() {
        assertThat(waiting(Map.of(
                        Signal.CPU, 0.455, Signal.BLKWAIT, 0.089, Signal.SWITCHES, 569.0, Signal.PREEMPTED, 1.7)))
                .as("cpu-disk")
                .isEmpty();
        assertThat(waiting(Map.of(Signal.CPU, 0.5, Signal.NETS, 0.016)))
                .as("cpu-network")
                .isEmpty();
        assertThat(waiting(Map.of(Signal.CPU, 0.498, Signal.SWITCHES, 3200.0, Signal.PREEMPTED, 882.0)))
                .as("jvm-mapreduce")
                .isEmpty();
        assertThat(waiting(Map.of(Signal.CPU, 0.146, Signal.SWITCHES, 89.0, Signal.PREEMPTED, 1.6)))
                .as("cpu-light, which sleeps")
                .isEmpty();
        assertThat(waiting(Map.of(Signal.CPU, 0.499, Signal.SWITCHES, 90_000.0, Signal.PREEMPTED, 89_990.0)))
                .as("who is pre-empted often does not give its processor up")
                .isEmpty();
    }

    @Test
    void whoWaitsForADiskOrTheNetworkIsMeasuredByBytes() {
        assertThat(waiting(Map.of(Signal.CPU, 0.0055, Signal.BLKWAIT, 0.989))).hasValue(Signal.READB);
        assertThat(waiting(Map.of(Signal.CPU, 0.0064, Signal.NETS, 1.11))).hasValue(Signal.NETP);
        assertThat(waiting(Map.of(Signal.CPU, 0.01, Signal.NETS, 0.5, Signal.BLKWAIT, 0.9)))
                .hasValue(Signal.READB);
    }

    @Test
    void whoseThreadsWakeEachOtherIsMeasuredByThat() {
        assertThat(waiting(Map.of(Signal.CPU, 0.365, Signal.SWITCHES, 46_900.0, Signal.PREEMPTED, 9410.0)))
                .as("switch-pairs")
                .hasValue(Signal.SWITCHES);
    }

    @Test
    void withoutProcessorTimeOrTheNumberOfProcessorsNobodyKnows() {
        InterferenceVector reader = new InterferenceVector(Map.of(Signal.CPU, 0.0055, Signal.BLKWAIT, 0.989));

        assertThat(WorkRates.ofWaiting(reader, Double.NaN)).isEmpty();
        assertThat(waiting(Map.of(Signal.BLKWAIT, 0.989))).isEmpty();
    }

    @Test
    void bytesAreThoseOfBothDirectionsAndSwitchesThoseThatItWantedItself() {
        InterferenceVector mean = new InterferenceVector(Map.of(
                Signal.READB,
                1e6,
                Signal.WRITEB,
                2e6,
                Signal.SWITCHES,
                100.0,
                Signal.PREEMPTED,
                30.0,
                Signal.CPU,
                0.5));

        assertThat(WorkRates.of(Signal.READB, mean)).hasValue(3e6);
        assertThat(WorkRates.of(Signal.SWITCHES, mean)).hasValue(70);
        assertThat(WorkRates.of(Signal.CPU, mean)).hasValue(0.5);
        assertThat(WorkRates.of(Signal.READB, new InterferenceVector(Map.of(Signal.READB, 1e6))))
                .as("how much it writes is not known")
                .isEmpty();
        assertThat(WorkRates.of(
                        Signal.SWITCHES, new InterferenceVector(Map.of(Signal.SWITCHES, 10.0, Signal.PREEMPTED, 10.1))))
                .as("both are rounded")
                .hasValue(0);
    }

    private static Optional<Signal> waiting(Map<Signal, Double> levels) {
        return WorkRates.ofWaiting(new InterferenceVector(levels), CPUS);
    }
}
