package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeHistoryTest {
    private static final String NODE = "node-a:8041";
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

    private final NodeHistory history = new NodeHistory(5, List.of(NodeMetric.CPU, NodeMetric.SWITCHES));

    private void says(Duration at, Map<NodeMetric, Double> values) {
        history.add(NODE, new NodeFigures(values), T0.plus(at));
    }

    private void saysCpu(int minute, double cpu) {
        says(Duration.ofMinutes(minute), Map.of(NodeMetric.CPU, cpu));
    }

    private List<Optional<Double>> cpuAt(int minute) {
        return history.of(NODE, T0.plus(Duration.ofMinutes(minute)))
                .map(series -> series.values().get(NodeMetric.CPU))
                .orElse(List.of());
    }

    @Test
    void minuteIsTheMeanOfWhatWasSaidInIt() {
        says(Duration.ofSeconds(1), Map.of(NodeMetric.CPU, 0.2));
        says(Duration.ofSeconds(59), Map.of(NodeMetric.CPU, 0.4));

        assertThat(cpuAt(0)).isEmpty();
        assertThat(cpuAt(1)).containsExactly(Optional.of(0.3));
        assertThat(history.of(NODE, T0.plusSeconds(60)).orElseThrow().from()).isEqualTo(T0);
    }

    @Test
    void minutesInWhichNothingWasSaidAreGaps() {
        saysCpu(0, 0.5);
        saysCpu(3, 1);

        assertThat(cpuAt(4)).containsExactly(Optional.of(0.5), Optional.empty(), Optional.empty(), Optional.of(1.0));
    }

    @Test
    void itGoesBackAsFarAsIsKept() {
        for (int minute = 0; minute < 23; minute++) {
            saysCpu(minute, minute / 25.0);
        }

        assertThat(cpuAt(23))
                .containsExactly(
                        Optional.of(18 / 25.0),
                        Optional.of(19 / 25.0),
                        Optional.of(20 / 25.0),
                        Optional.of(21 / 25.0),
                        Optional.of(22 / 25.0));
    }

    @Test
    void nodeThatWasSilentForLongHasNoHistory() {
        saysCpu(0, 0.5);

        assertThat(cpuAt(5))
                .containsExactly(
                        Optional.of(0.5), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(history.of(NODE, T0.plus(Duration.ofMinutes(6)))).isEmpty();
        assertThat(history.of(NODE, T0.plus(Duration.ofDays(300)))).isEmpty();
    }

    @Test
    void clockThatIsSetBackAddsToTheMinuteUnderWay() {
        saysCpu(3, 0.2);
        saysCpu(1, 0.4);

        assertThat(cpuAt(4)).containsExactly(Optional.of(0.3));
    }

    @Test
    void metricsThatAreNotKeptAndNodesThatLeftAreNotThere() {
        says(Duration.ZERO, Map.of(NodeMetric.CPU, 0.5, NodeMetric.MEMORY, 0.5));
        assertThat(history.of(NODE, T0.plusSeconds(60)).orElseThrow().values()).containsOnlyKeys(NodeMetric.CPU);

        history.forget(NODE);
        assertThat(history.of(NODE, T0.plusSeconds(60))).isEmpty();
    }

    @Test
    void nothingIsKeptForNoMinutes() {
        NodeHistory none = new NodeHistory(0, NodeMetric.telling());
        none.add(NODE, new NodeFigures(Map.of(NodeMetric.CPU, 0.5)), T0);

        assertThat(none.of(NODE, T0.plusSeconds(60))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void valuesAreWithinTheirStep(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            double share = random.nextDouble();
            double rate = 0.5 * Math.pow(2, 31 * random.nextDouble());
            NodeHistory one = new NodeHistory(1, List.of(NodeMetric.CPU, NodeMetric.SWITCHES));
            one.add(NODE, new NodeFigures(Map.of(NodeMetric.CPU, share, NodeMetric.SWITCHES, rate)), T0);

            Map<NodeMetric, List<Optional<Double>>> kept =
                    one.of(NODE, T0.plusSeconds(60)).orElseThrow().values();

            assertThat(kept.get(NodeMetric.CPU).get(0).orElseThrow()).isCloseTo(share, within(0.0021));
            assertThat(kept.get(NodeMetric.SWITCHES).get(0).orElseThrow()).isCloseTo(rate, within(0.05 * rate));
        }
    }

    /** Against a list of what was said. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyCourseIsKeptMinuteByMinute(long seed) {
        Random random = new Random(seed);
        List<Optional<Double>> said = new ArrayList<>();
        for (int minute = 0; minute < 40; minute++) {
            Optional<Double> cpu = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(random.nextInt(251) / 250.0);
            said.add(cpu);
            if (cpu.isPresent()) {
                saysCpu(minute, cpu.get());
            }
            List<Optional<Double>> expected = new ArrayList<>(said.subList(Math.max(0, said.size() - 5), said.size()));
            while (!expected.isEmpty() && expected.get(0).isEmpty()) {
                expected.remove(0);
            }
            assertThat(cpuAt(minute + 1)).isEqualTo(expected);
        }
    }
}
