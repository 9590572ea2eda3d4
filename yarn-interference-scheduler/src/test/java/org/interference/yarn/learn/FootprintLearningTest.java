package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.learn.CompletedContainer.Ending;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;

/** What tasks were given and used, from their nodes' reports and YARN's word. */
class FootprintLearningTest {
    private static final double GIB = 1 << 30;
    private static final double CPUS = 16;
    private static final String SMALL = "small:8041";
    private static final String LARGE = "large:8041";
    private static final String SILENT = "silent:8041";
    private static final Map<String, Double> MEMORY = Map.of(SMALL, 32 * GIB, LARGE, 256 * GIB);

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final RunningTasks running = new RunningTasks(profiles, container -> Optional.of(Tasks.SORT));
    private final FinishedTasks finished = new FinishedTasks(profiles, running, container -> Optional.empty());
    private final Ingest ingest =
            new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofSeconds(1), this::sampled);
    private Instant now = T0;
    private long sequence;

    private void sampled(NodeSample sample) {
        running.observe(sample, now);
        finished.sampled(sample);
    }

    @Test
    void bytesAreTheSameWhereverTheTaskRan() {
        run("c1", SMALL, 3 * GIB, Ending.DONE);
        run("c2", LARGE, 3 * GIB, Ending.DONE);

        Footprint footprint = footprint();

        assertThat(footprint.tasks()).isEqualTo(2);
        assertThat(footprint.peaks()).hasSize(1);
        assertThat(footprint.peakBytes()).isBetween(3 * GIB * 0.999, 3 * GIB * 1.05);
        assertThat(footprint.requestedBytes()).isEqualTo(4 * GIB);
        assertThat(footprint.machineBytes()).isEqualTo(256 * GIB);
        assertThat(footprint.totals().seconds()).isEqualTo(60);
        assertThat(footprint.totals().working()).isCloseTo(60 * 1.5 * GIB, within(0.01 * 90 * GIB));
        assertThat(footprint.totals().usedCores()).isCloseTo(60, within(0.1));
        assertThat(footprint.totals().requestedCores()).isEqualTo(120);
    }

    @Test
    void taskThatWasEndedForItsMemoryCountsAsOneThatNeededMore() {
        run("c1", SMALL, 3 * GIB, Ending.DONE);

        run("c2", SMALL, 3.9 * GIB, Ending.EXHAUSTED);

        assertThat(footprint().exhausted()).isEqualTo(1);
        assertThat(footprint().peakBytes()).isGreaterThan(4 * GIB);
        assertThat(profile().samples()).isEqualTo(1);
        assertThat(finished.outcomes()).containsEntry(FinishedTask.Outcome.CUT_SHORT, 1L);
    }

    @Test
    void taskThatWasPreemptedSaysNothing() {
        run("c1", SMALL, 3 * GIB, Ending.DONE);

        run("c2", SMALL, 3.9 * GIB, Ending.CUT_SHORT);

        assertThat(footprint().tasks()).isEqualTo(1);
    }

    @Test
    void nodeThatDoesNotTellItsMemorySaysNothing() {
        run("c1", SILENT, 3 * GIB, Ending.DONE);

        assertThat(footprint()).isEqualTo(Footprint.NONE);
        assertThat(profile().samples()).isEqualTo(1);
    }

    private void run(String container, String node, double peak, Ending ending) {
        report(node, Duration.ofSeconds(20), container, peak, false);
        report(node, Duration.ofSeconds(30), container, peak / 2, true);
        finished.completed(
                new CompletedContainer(
                        container,
                        "application_1",
                        node,
                        Tasks.SORT,
                        false,
                        ending,
                        Optional.of(new CompletedContainer.Given(4 * GIB, 2)),
                        Optional.empty()),
                ingest.newest(node),
                now);
    }

    private void report(String node, Duration observed, String container, double bytes, boolean ended) {
        now = now.plusSeconds(60);
        double machine = MEMORY.getOrDefault(node, 64 * GIB);
        InterferenceVector levels = new InterferenceVector(Map.of(Signal.CPU, 1 / CPUS, Signal.MEM, bytes / machine));
        ContainerReport report = new ContainerReport(
                container, observed, ended, Reports.running(container, levels).readings());
        NodeFigures figures = MEMORY.containsKey(node)
                ? new NodeFigures(Map.of(NodeMetric.CPUS, CPUS, NodeMetric.MEMORYBYTES, machine))
                : new NodeFigures(Map.of(NodeMetric.CPUS, CPUS));
        ingest.accept(node, HeartbeatCodec.encode(new NodeReport(1, ++sequence, now, List.of(report), figures)), now);
    }

    private TaskProfile profile() {
        return profiles.find(Tasks.SORT).orElseThrow();
    }

    private Footprint footprint() {
        return profile().footprint();
    }
}
