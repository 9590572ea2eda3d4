package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.ended;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What presses on a node and is of none of its containers. */
class OutsideTest {
    private static final Duration MAX_AGE = Duration.ofSeconds(5);
    private static final ContainerReport THIRD = running("a", cpu(0.3));

    private Optional<NodeSample> newest = Optional.empty();
    private Instant now = T0;
    private long sequence;

    @Test
    void isWhatIsBusyLessWhatContainersUse() {
        reports(Outside.WINDOWS, busy(0.8), THIRD, running("b", cpu(0.1)));

        assertThat(outside().levels()).containsOnlyKeys(Signal.CPU);
        assertThat(outside().levelOr(Signal.CPU, 0)).isCloseTo(0.4, within(1e-6));
    }

    @Test
    void isNothingBeforeSoManyReportsHaveSaidIt() {
        reports(Outside.WINDOWS - 1, busy(0.8), THIRD);
        assertThat(outside().isEmpty()).isTrue();

        reports(1, busy(0.8), THIRD);
        assertThat(outside().isEmpty()).isFalse();
    }

    /** A container that begins is busy before it is measured for the first time. */
    @Test
    void momentOfWorkIsNone() {
        reports(20, busy(0.3), THIRD);
        reports(Outside.WINDOWS - 1, busy(0.9), THIRD);
        reports(1, busy(0.3), THIRD);

        assertThat(outside().isEmpty()).isTrue();
    }

    @Test
    void isTheLeastOfTheNewestReports() {
        for (double busy : new double[] {0.31, 0.9, 0.8, 0.7, 0.75, 0.95}) {
            reports(1, busy(busy), THIRD);
        }

        assertThat(outside().levelOr(Signal.CPU, 0)).isCloseTo(0.4, within(1e-6));
    }

    @Test
    void lessThanATenthIsNothing() {
        reports(20, busy(0.39), THIRD);

        assertThat(outside().isEmpty()).isTrue();
    }

    @Test
    void reportWithAContainerThatIsNotMeasuredSaysNothing() {
        reports(20, busy(0.9), THIRD, unmeasured("b"));
        assertThat(outside().isEmpty()).isTrue();

        reports(Outside.WINDOWS, busy(0.7), THIRD);
        reports(3, busy(0.9), THIRD, unmeasured("b"));
        assertThat(outside().levelOr(Signal.CPU, 0)).as("what was known").isCloseTo(0.4, within(1e-6));
    }

    @Test
    void whatAContainerDidThatEndedInTheWindowIsItsOwn() {
        reports(Outside.WINDOWS, busy(0.7), THIRD, ended("b", cpu(0.4)));

        assertThat(outside().isEmpty()).isTrue();
    }

    @Test
    void nodeThatSaysNothingOfItselfHasNone() {
        reports(20, NodeFigures.EMPTY, THIRD);

        assertThat(outside().isEmpty()).isTrue();
    }

    @Test
    void isForgottenWhenReportsWereAwayForLong() {
        reports(Outside.WINDOWS, busy(0.8), THIRD);
        now = now.plus(Duration.ofMinutes(2));
        reports(1, busy(0.8), THIRD);

        assertThat(outside().isEmpty()).isTrue();
    }

    @Test
    void isNothingWhereItIsToBeIgnored() {
        for (int i = 0; i < 20; i++) {
            report(busy(0.8), OutsideUse.IGNORED, THIRD);
        }

        assertThat(outside().isEmpty()).isTrue();
    }

    /** 8 of 10 MB a second are the container's: of two requests in flight a fifth is nobody's. */
    @Test
    void ofDisksIsTheShareOfTheBytes() {
        NodeFigures node = new NodeFigures(
                Map.of(NodeMetric.CPU, 0.1, NodeMetric.DISK, 2.0, NodeMetric.READB, 6e6, NodeMetric.WRITEB, 4e6));
        InterferenceVector reader =
                new InterferenceVector(Map.of(Signal.CPU, 0.1, Signal.READB, 5e6, Signal.WRITEB, 3e6));

        reports(Outside.WINDOWS, node, running("a", reader));

        assertThat(outside().levels()).containsOnlyKeys(Signal.BLK);
        assertThat(outside().levelOr(Signal.BLK, 0)).isCloseTo(0.4, within(1e-6));
    }

    @Test
    void ofDisksIsUnknownWhereContainersBytesAre() {
        NodeFigures node = new NodeFigures(
                Map.of(NodeMetric.CPU, 0.5, NodeMetric.DISK, 2.0, NodeMetric.READB, 6e6, NodeMetric.WRITEB, 4e6));

        reports(Outside.WINDOWS, node, THIRD);

        assertThat(outside().levels()).containsOnlyKeys(Signal.CPU);
    }

    /** Whatever a node says, no level is above what one neighbour can have, and none is negative. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void staysWithinBounds(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            NodeFigures node = new NodeFigures(Map.of(
                    NodeMetric.CPU,
                    Math.pow(10, 40 * random.nextDouble() - 3),
                    NodeMetric.DISK,
                    Math.pow(10, 40 * random.nextDouble() - 3),
                    NodeMetric.READB,
                    1e9 * random.nextDouble(),
                    NodeMetric.WRITEB,
                    random.nextBoolean() ? 0 : 1e38 * random.nextDouble()));
            InterferenceVector load = new InterferenceVector(Map.of(
                    Signal.CPU, random.nextDouble(), Signal.READB, 1e9 * random.nextDouble(), Signal.WRITEB, 0.0));
            reports(1, node, running("a", load));
            outside().levels().forEach((signal, level) -> assertThat(level)
                    .isBetween(Outside.LEAST * 0.999, signal.highest()));
        }
    }

    private InterferenceVector outside() {
        return newest.orElseThrow().outside();
    }

    private void reports(int count, NodeFigures node, ContainerReport... containers) {
        for (int i = 0; i < count; i++) {
            report(node, OutsideUse.NEIGHBOUR, containers);
        }
    }

    private void report(NodeFigures node, OutsideUse use, ContainerReport... containers) {
        now = now.plusSeconds(1);
        NodeReport report = new NodeReport(1, ++sequence, now, List.of(containers), node);
        SampleRules rules = new SampleRules(MAX_AGE, Whereabouts.AS_REPORTED, use, new ReferenceNode());
        newest = Optional.of(new NodeSample("node-1:8041", report, now, newest, rules));
    }

    private static NodeFigures busy(double cpu) {
        return new NodeFigures(Map.of(NodeMetric.CPU, cpu));
    }

    private static InterferenceVector cpu(double level) {
        return new InterferenceVector(Map.of(Signal.CPU, level));
    }
}
