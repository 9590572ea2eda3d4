package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.node;
import static org.interference.yarn.fixture.Reports.running;
import static org.interference.yarn.fixture.Reports.unmeasured;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

/** What a finished task teaches depends on what was beside it, and on what is known of its kind alone. */
class SlowdownObserverTest {
    private static final String A = "node-a:8041";
    private static final InterferenceVector NEIGHBOUR = Vectors.cpu(0.5);
    private static final double CPUS = 8;

    private final ProfileRepository profiles = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
    private final SlowdownObserver observer = new SlowdownObserver(profiles);
    private final List<FinishedTask> finished = new ArrayList<>();

    @Test
    void runTimeIsComparedWithThoseOfRunsWithNobodyBeside() {
        for (int i = 0; i < 3; i++) {
            ran("alone-" + i, 10, cpu(0.25));
            drained(observer);
        }

        Observation learnt = onlyObservationOf(() -> ran("contended", 15, cpu(0.2), NEIGHBOUR));

        assertThat(learnt.label().source()).isEqualTo(Label.Source.RUN_TIME);
        assertThat(learnt.label().slowdown()).isCloseTo(1.5, within(1e-9));
        assertThat(learnt.situation().beside(Signal.CPU)).isCloseTo(0.5, within(1e-6));
        assertThat(learnt.situation().own(Signal.CPU)).hasValue(0.5);
        assertThat(learnt.kind())
                .isEqualTo(profiles.find(Tasks.SORT).orElseThrow().key().text());
    }

    /** They have its input: how much another's runs vary is not known by them. */
    @Test
    void tasksOfOneApplicationAloneAreOneRun() {
        for (int i = 0; i < 5; i++) {
            look("alone-" + i, cpu(0.25));
            end("alone-" + i, 10, cpu(0.25), false, "application_1");
            drained(observer);
        }

        Observation learnt = onlyObservationOf(() -> ran("contended", 50, cpu(0.25), NEIGHBOUR));

        assertThat(learnt.label().source()).isEqualTo(Label.Source.CPU_TIME);
        assertThat(learnt.label().slowdown()).isCloseTo(1, within(1e-6));
    }

    @Test
    void kindWhoseRunTimesVaryIsComparedByItsCpu() {
        Observation learnt = afterRunsAloneThatVary(cpu(0.4), cpu(0.1));

        assertThat(learnt.label().source()).isEqualTo(Label.Source.CPU_TIME);
        assertThat(learnt.label().slowdown()).isCloseTo(4, within(1e-6));
    }

    /** Who waits for memory uses as much CPU as ever. */
    @Test
    void whereInstructionsAreCountedTheySayWhatProcessorTimeDoesNot() {
        Observation learnt = afterRunsAloneThatVary(working(0.4, 3e9), working(0.4, 1e9));

        assertThat(learnt.label().source()).isEqualTo(Label.Source.WORK_RATE);
        assertThat(learnt.label().slowdown()).isCloseTo(3, within(1e-6));
    }

    /** Its processor time falls by more than its work, as interrupts come in batches. */
    @Test
    void whoWaitsForADiskIsComparedByWhatItMoves() {
        Observation learnt = afterRunsAloneThatVary(reading(0.01, 1e8), reading(0.004, 8e7));

        assertThat(learnt.label().source()).isEqualTo(Label.Source.WORK_RATE);
        assertThat(learnt.label().slowdown()).isCloseTo(1.25, within(1e-6));
    }

    @Test
    void kindThatWasNeverAloneTeachesOnceItHasRunOften() {
        for (int i = 0; i < RateRuns.LEAST_RUNS; i++) {
            ran("run-" + i, 10, cpu(0.25), NEIGHBOUR);
        }

        assertThat(drained(observer)).isEmpty();
        assertThat(onlyObservationOf(() -> ran("next", 10, cpu(0.25), NEIGHBOUR))
                        .label()
                        .source())
                .isEqualTo(Label.Source.CPU_TIME);
    }

    @Test
    void whatIsKnownOfKindsAloneOutlivesTheObserver() {
        for (int i = 0; i < 3; i++) {
            ran("alone-" + i, 10, cpu(0.25));
            drained(observer);
        }
        SlowdownObserver next = new SlowdownObserver(profiles);

        next.restore(observer.experience(Experience.NONE.samples()));

        assertThat(next.experience(Experience.NONE.samples()))
                .isEqualTo(observer.experience(Experience.NONE.samples()));
        look(next, "contended", cpu(0.2), NEIGHBOUR);
        end("contended", 15, cpu(0.2), false);
        assertThat(drained(next)).singleElement().satisfies(learnt -> {
            assertThat(learnt.label().source()).isEqualTo(Label.Source.RUN_TIME);
            assertThat(learnt.label().slowdown()).isCloseTo(1.5, within(1e-9));
        });
    }

    @Test
    void whatWasBesideIsTheMeanOverTheLooks() {
        ran("first", 10, cpu(0.25));
        drained(observer);
        look("next", cpu(0.25), Vectors.cpu(0.2));
        look("next", cpu(0.25), Vectors.cpu(0.4));

        Observation learnt = onlyObservationOf(() -> end("next", 10, cpu(0.25), false));

        assertThat(learnt.situation().beside(Signal.CPU)).isCloseTo(0.3, within(1e-6));
    }

    @Test
    void taskIsLearntFromOnce() {
        ran("first", 10, cpu(0.25));
        ran("second", 10, cpu(0.25), NEIGHBOUR);

        assertThat(drained(observer)).hasSize(1);
        assertThat(drained(observer)).isEmpty();
    }

    @Test
    void applicationMasterTeachesNothing() {
        ran("first", 10, cpu(0.25));
        look("master", cpu(0.25), NEIGHBOUR);
        end("master", 10, cpu(0.25), true);

        assertThat(drained(observer)).isEmpty();
    }

    @Test
    void containerThatNobodyReportsAnyMoreIsForgotten() {
        ran("first", 10, cpu(0.25));
        drained(observer);
        look("next", cpu(0.25), NEIGHBOUR);

        observer.sweep(T0.plus(Duration.ofMinutes(11)));
        end("next", 10, cpu(0.25), false);

        assertThat(drained(observer)).isEmpty();
    }

    /** As when another ResourceManager has become active: nobody here has seen what was beside it for an hour. */
    @Test
    void whoseLifeWasMostlyOverAtTheFirstLookTeachesNothing() {
        ran("first", 10, cpu(0.25));
        drained(observer);
        Experience before = observer.experience(Experience.NONE.samples());
        look(observer, List.of(running("next", Duration.ofHours(1), cpu(0.25))));

        end("next", 3610, cpu(0.1), false);

        assertThat(drained(observer)).isEmpty();
        assertThat(observer.experience(Experience.NONE.samples())).isEqualTo(before);
    }

    /** On a node that measures no disks, one that does nothing but read looks idle. */
    @Test
    void runBesideWhoMayPressOnWhatIsNotMeasuredIsNoneAlone() {
        ran("first", 10, cpu(0.25), cpu(0.01));
        assertThat(drained(observer)).isEmpty();
        assertThat(observer.experience(Experience.NONE.samples()).alone()).isEmpty();

        ran("next", 10, cpu(0.25), new InterferenceVector(Map.of(Signal.CPU, 0.01, Signal.BLK, 0.0)));
        drained(observer);
        assertThat(observer.experience(Experience.NONE.samples()).alone()).hasSize(1);
    }

    @Test
    void besideWhomNobodyMeasuresNothingIsLearnt() {
        ran("first", 10, cpu(0.25));
        drained(observer);
        look(observer, List.of(running("next", Duration.ofSeconds(1), cpu(0.25)), unmeasured("other")));

        end("next", 10, cpu(0.1), false);

        assertThat(drained(observer)).isEmpty();
    }

    /** Two programs under one priority of one application. */
    @Test
    void whatATaskTeachesIsOfItsOwnKind() {
        LaunchSignature one = new LaunchSignature(1);
        LaunchSignature two = new LaunchSignature(2);
        for (int i = 0; i < 20; i++) {
            profiles.record(sample(i % 2 == 0 ? one : two));
        }
        look("next", cpu(0.25));

        end("next", 10, cpu(0.25), one);
        drained(observer);

        assertThat(observer.experience(Experience.NONE.samples()).alone().keySet())
                .singleElement()
                .asString()
                .endsWith("@" + one);
    }

    private static TaskSample sample(LaunchSignature launch) {
        return new TaskSample(
                Tasks.SORT,
                cpu(0.25),
                InterferenceVector.EMPTY,
                Optional.of(Duration.ofSeconds(10)),
                T0,
                Optional.of(launch),
                Company.UNKNOWN);
    }

    private void end(String container, int seconds, InterferenceVector levels, LaunchSignature launch) {
        ContainerReport report = running(container, Duration.ofSeconds(seconds), levels);
        finished.add(new FinishedTask(
                new CompletedContainer(container, "application_1", A, Tasks.SORT, false, false),
                T0.plusSeconds(seconds),
                Optional.of(new ContainerReport(
                        container, report.observed(), true, report.readings(), Optional.of(launch))),
                Scale.ONE,
                FinishedTask.Outcome.PROFILED));
    }

    /** What a run in company teaches of a kind whose run times alone say nothing. */
    private Observation afterRunsAloneThatVary(InterferenceVector alone, InterferenceVector beside) {
        ran("alone-small", 10, alone);
        ran("alone-large", 90, alone);
        drained(observer);
        return onlyObservationOf(() -> ran("next", 25, beside, NEIGHBOUR));
    }

    private Observation onlyObservationOf(Runnable run) {
        run.run();
        List<Observation> observations = drained(observer);
        assertThat(observations).hasSize(1);
        return observations.get(0);
    }

    /** What has finished since the last call, to one observer. */
    private List<Observation> drained(SlowdownObserver by) {
        List<FinishedTask> next = List.copyOf(finished);
        finished.clear();
        return by.finished(next);
    }

    /** A task that was seen once beside {@code neighbours}, and then ended. */
    private void ran(String container, int seconds, InterferenceVector levels, InterferenceVector... neighbours) {
        look(container, levels, neighbours);
        end(container, seconds, levels, false);
    }

    private void look(String container, InterferenceVector levels, InterferenceVector... neighbours) {
        look(observer, container, levels, neighbours);
    }

    private static void look(
            SlowdownObserver observer, String container, InterferenceVector levels, InterferenceVector... neighbours) {
        List<ContainerReport> containers = new ArrayList<>();
        containers.add(running(container, Duration.ofSeconds(1), levels));
        for (InterferenceVector neighbour : neighbours) {
            containers.add(running("neighbour-" + containers.size(), neighbour));
        }
        look(observer, containers);
    }

    private static void look(SlowdownObserver observer, List<ContainerReport> containers) {
        observer.look(
                NodeSample.of(
                        A,
                        node(1, containers.toArray(ContainerReport[]::new)),
                        T0,
                        Optional.empty(),
                        Duration.ofDays(1),
                        Whereabouts.AS_REPORTED),
                T0);
    }

    /** Of an application of its own. */
    private void end(String container, int seconds, InterferenceVector levels, boolean applicationMaster) {
        end(container, seconds, levels, applicationMaster, "application-of-" + container);
    }

    private void end(
            String container, int seconds, InterferenceVector levels, boolean applicationMaster, String application) {
        Instant at = T0.plusSeconds(seconds);
        finished.add(new FinishedTask(
                new CompletedContainer(container, application, A, Tasks.SORT, applicationMaster, false),
                at,
                Optional.of(running(container, Duration.ofSeconds(seconds), levels)),
                Scale.ONE,
                new Capacities(CPUS, Double.NaN, Double.NaN, Double.NaN),
                FinishedTask.Outcome.PROFILED,
                Optional.empty(),
                true));
    }

    /** Three threads that wait for a disk. */
    private static InterferenceVector reading(double share, double bytes) {
        return new InterferenceVector(Map.of(
                Signal.CPU, share, Signal.BLKWAIT, 3.0, Signal.READB, bytes, Signal.WRITEB, 0.0, Signal.BLK, 1.0));
    }

    private static InterferenceVector working(double share, double instructions) {
        return new InterferenceVector(Map.of(Signal.CPU, share, Signal.INSTR, instructions));
    }

    private static InterferenceVector cpu(double share) {
        return new InterferenceVector(Map.of(Signal.CPU, share));
    }
}
