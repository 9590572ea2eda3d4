package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Reports;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;

/** A task that keeps one CPU busy runs on nodes of 16 and of 64 CPUs, the first of which reported first. */
class NodesOfDifferentSizeTest {
    private static final String SMALL = "small:8041";
    private static final String LARGE = "large:8041";
    private static final Map<String, Double> CPUS = Map.of(SMALL, 16.0, LARGE, 64.0);

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final RunningTasks running = new RunningTasks(profiles, container -> Optional.of(Tasks.SORT));
    private final FinishedTasks finished = new FinishedTasks(profiles, running, container -> Optional.empty());
    private final SlowdownObserver observer = new SlowdownObserver(profiles);
    private final Attribution attribution =
            new Attribution(new PriorPredictor(), profiles, container -> Optional.of(Tasks.SORT));
    private Instant now = T0;
    private final Ingest ingest =
            new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofSeconds(1), sample -> {
                running.observe(sample, now);
                observer.look(sample, now);
                finished.sampled(sample);
            });
    private long sequence;

    @Test
    void profileIsTheSameWhereverItsTasksRan() {
        run("on-small", SMALL, 1);
        run("on-large", LARGE, 1);

        InterferenceVector load = profiles.find(Tasks.SORT).orElseThrow().load();

        assertThat(load.level(Signal.CPU).orElseThrow()).isCloseTo(1 / 16.0, within(1e-4));
        assertThat(profiles.find(Tasks.SORT)
                        .orElseThrow()
                        .signals()
                        .get(Signal.CPU)
                        .peak())
                .isCloseTo(1 / 16.0, within(1e-4));
    }

    /** As a share of its node it uses a quarter of what it uses on the small one: that is no slowdown of four. */
    @Test
    void largerNodeSlowsNobodyDown() {
        for (int i = 0; i < 3; i++) {
            run("on-small-" + i, SMALL, 1);
            learnt();
        }

        run("on-large", LARGE, 1, beside("other", 0.5));

        assertThat(learnt()).singleElement().satisfies(observation -> {
            assertThat(observation.label().source()).isIn(Label.Source.CPU_TIME, Label.Source.RUN_TIME);
            assertThat(observation.label().slowdown()).isCloseTo(1, within(0.01));
            assertThat(observation.situation().own(Signal.CPU).orElseThrow()).isCloseTo(1 / 64.0, within(1e-4));
            assertThat(observation.situation().beside(Signal.CPU)).isCloseTo(0.5, within(0.01));
        });
    }

    @Test
    void whoHasLessOfACpuOnTheLargeNodeIsSlowedDown() {
        for (int i = 0; i < 3; i++) {
            // Their run times differ, so that CPU time alone can tell.
            run("on-small-" + i, SMALL, 1, Duration.ofSeconds(10 + 40 * i));
            learnt();
        }

        run("on-large", LARGE, 0.5, beside("other", 0.9));

        assertThat(learnt()).singleElement().satisfies(observation -> {
            assertThat(observation.label().source()).isEqualTo(Label.Source.CPU_TIME);
            assertThat(observation.label().slowdown()).isCloseTo(2, within(0.01));
        });
    }

    @Test
    void whoHurtsWhomIsAskedInTheSharesOfTheNode() {
        for (int i = 0; i < 5; i++) {
            run("on-small-" + i, SMALL, 8);
        }
        double slowdownOnSmall = victim(SMALL, 8);
        double slowdownOnLarge = victim(LARGE, 8);

        assertThat(slowdownOnSmall).isGreaterThan(slowdownOnLarge);
    }

    /** Half of the node is busy beside it in both cases, so that only its own share differs. */
    private double victim(String node, double cpus) {
        report(node, Duration.ofSeconds(30), "victim", cpus, false, beside("hog", 0.5));
        attribution.look(ingest.newest(node).orElseThrow(), now);
        return attribution.victim("victim").orElseThrow().slowdown();
    }

    private void run(String container, String node, double cpus, ContainerReport... others) {
        run(container, node, cpus, Duration.ofSeconds(30), others);
    }

    private void run(String container, String node, double cpus, Duration ran, ContainerReport... others) {
        report(node, Duration.ofSeconds(1), container, cpus, false, others);
        report(node, ran, container, cpus, true, others);
        finished.completed(
                new CompletedContainer(container, "application_1", node, Tasks.SORT, false, false),
                ingest.newest(node),
                now);
    }

    private void report(
            String node, Duration observed, String container, double cpus, boolean ended, ContainerReport... others) {
        now = now.plusSeconds(60);
        List<ContainerReport> all = new ArrayList<>(List.of(others));
        InterferenceVector levels = new InterferenceVector(Map.of(Signal.CPU, cpus / CPUS.get(node)));
        all.add(new ContainerReport(
                container, observed, ended, Reports.running(container, levels).readings()));
        NodeReport report =
                new NodeReport(1, ++sequence, now, all, new NodeFigures(Map.of(NodeMetric.CPUS, CPUS.get(node))));
        ingest.accept(node, HeartbeatCodec.encode(report), now);
    }

    private static ContainerReport beside(String container, double share) {
        return Reports.running(container, new InterferenceVector(Map.of(Signal.CPU, share)));
    }

    private List<Observation> learnt() {
        return observer.finished(finished.drain());
    }
}
