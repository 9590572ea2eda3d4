package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.node;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.Whereabouts;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunningTasksTest {
    private static final InterferenceVector IDLE = new InterferenceVector(Map.of(Signal.CPU, 0.01, Signal.BLK, 0.0));

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final RunningTasks running = new RunningTasks(profiles, container -> Optional.of(Tasks.SORT));
    private long sequence;

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void shortTaskTeachesNothingBeforeItsEnd() {
        for (int second = 1; second < 600; second += 10) {
            look(lived(second, 0.5));
        }

        assertThat(profiles.all()).isEmpty();
    }

    @Test
    void longLivedTaskAddsEachTenMinutesToItsProfileWhileItRuns() {
        look(lived(30, 0.9));
        // 0.9 for a minute, then 0.3: the cumulative mean falls.
        look(lived(600, (60 * 0.9 + 540 * 0.3) / 600));
        assertThat(cpu(profile())).isCloseTo(0.36, within(1e-6));

        look(lived(1200, (60 * 0.9 + 540 * 0.3 + 600 * 0.1) / 1200));
        TaskProfile profile = profile();
        assertThat(cpu(profile)).isCloseTo((0.36 + 0.1) / 2, within(1e-6));
        assertThat(profile.samples()).isEqualTo(2);
        assertThat(profile.runTimeSeconds().count()).isZero();
    }

    @Test
    void endOfALongLivedTaskTeachesOnlyWhatIsNew() {
        look(lived(60, 0.5));
        look(lived(600, 0.5));

        TaskSample last = running.ended(Tasks.SORT, lived(900, (600 * 0.5 + 300 * 0.2) / 900), true, Scale.ONE, T0);

        assertThat(last.mean().level(Signal.CPU).orElse(0)).isCloseTo(0.2, within(1e-6));
        assertThat(last.runTime()).hasValue(Duration.ofMinutes(15));
    }

    /** A mean that grows from nothing to all there is, in a millisecond after ten minutes, would be one of millions. */
    @Test
    void endRightAfterASampleTeachesTheWholeLife() {
        look(lived(60, 0));
        look(lived(601, 0));

        TaskSample last = running.ended(Tasks.SORT, lived(601.001, 64), true, Scale.ONE, T0);

        assertThat(last.mean().level(Signal.CPU)).hasValue(64);
        assertThat(last.runTime()).hasValue(Duration.ofMillis(601_001));
    }

    @Test
    void meanOfTenMinutesIsNoHigherThanALevelCanBe() {
        look(lived(30, 0));
        look(lived(600, 0));
        look(lived(1200, 64));

        assertThat(profile().signals().get(Signal.CPU).peak()).isEqualTo(64);
        assertThat(running.ended(Tasks.SORT, lived(1300, 64), true, Scale.ONE, T0)
                        .mean()
                        .level(Signal.CPU))
                .hasValue(64);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void partsOfACumulativeMeanAddUpToIt(long seed) {
        Random random = new Random(seed);
        double used = 0;
        double seconds = 0;
        ContainerReport before = null;
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            double step = 10 + random.nextInt(1000);
            used += step * random.nextDouble();
            seconds += step;
            ContainerReport report = lived(seconds, used / seconds);
            if (before != null) {
                sum += step
                        * RunningTasks.between(before, report).level(Signal.CPU).orElseThrow();
            } else {
                sum += used;
            }
            before = report;
        }

        assertThat(sum).isCloseTo(used, within(1e-6 * used + 1e-6));
    }

    @Test
    void taskWhoseNodeWasOtherwiseQuietWasAlone() {
        for (int second = 1; second < 20; second++) {
            look(lived(second, 0.5), running("idle", Duration.ofSeconds(second), IDLE));
        }

        assertThat(end().company()).isEqualTo(Company.ALONE);
    }

    @Test
    void taskWithABusyNeighbourForAQuarterOfItsTimeWasContended() {
        for (int second = 1; second < 40; second++) {
            double neighbour = second > 30 ? 0.3 : 0;
            look(lived(second, 0.5), running("other", Duration.ofSeconds(second), Vectors.cpu(neighbour)));
        }

        assertThat(end().company()).isEqualTo(Company.CONTENDED);
    }

    @Test
    void taskThatWasReportedOnceHadTheCompanyOfThatMoment() {
        look(lived(1, 0.5), running("other", Duration.ofSeconds(1), Vectors.cpu(0.9)));
        assertThat(end().company()).isEqualTo(Company.CONTENDED);

        look(lived(1, 0.5), running("idle", Duration.ofSeconds(1), IDLE));
        assertThat(end().company()).isEqualTo(Company.ALONE);
    }

    /** As when another ResourceManager has become active. */
    @Test
    void companyOfATaskThatWasFirstSeenLateIsNotKnownAndWhatItDidBeforeIsLearntByNobodyTwice() {
        look(lived(3600, 0.5));
        look(lived(3700, 0.5));

        assertThat(profiles.all()).isEmpty();
        assertThat(end().company()).isEqualTo(Company.UNKNOWN);
    }

    @Test
    void companyOfATaskThatNobodySawIsNotKnown() {
        assertThat(end().company()).isEqualTo(Company.UNKNOWN);
    }

    @Test
    void peakIsTheHighestWindowThatWasSeen() {
        look(container(1, 0.2, 0.2));
        look(container(2, 0.5, 0.8));
        look(container(3, 0.4, 0.2));

        assertThat(end().peak().level(Signal.CPU)).hasValue(0.8);
    }

    /** Of what slowdowns are not predicted from, memory alone has a peak: it says how many tasks fit on a node. */
    @Test
    void peakOfMemoryIsTheHighestWindowToo() {
        look(usingMemory(1, 0.1));
        look(usingMemory(2, 0.4));
        look(usingMemory(3, 0.2));

        assertThat(end().peak().level(Signal.MEM)).hasValue(0.4);
    }

    @Test
    void firstLookTellsItsStageWhatItIs() {
        ProfileRepository repository = new ProfileRepository(1);
        RunningTasks tasks =
                new RunningTasks(repository, container -> Optional.of(Tasks.SORT.in("application_" + container)));
        LaunchSignature one = new LaunchSignature(1);
        LaunchSignature two = new LaunchSignature(2);
        repository.record(sample(one, 0.1));
        repository.record(sample(two, 0.9));

        tasks.observe(sampleOf(List.of(launched("7", one), launched("8", two))), T0);

        assertThat(repository
                        .find(Tasks.SORT.in("application_7"))
                        .orElseThrow()
                        .load()
                        .level(Signal.CPU))
                .hasValue(0.1);
        assertThat(repository
                        .find(Tasks.SORT.in("application_8"))
                        .orElseThrow()
                        .load()
                        .level(Signal.CPU))
                .hasValue(0.9);
    }

    @Test
    void containerThatIsObservedAnewBeginsANewLife() {
        look(lived(60, 0.5));
        look(lived(590, 0.5));
        look(lived(5, 0.5));
        look(lived(300, 0.5));

        assertThat(profiles.all()).isEmpty();
    }

    @Test
    void containersThatVanishAreForgotten() {
        look(lived(60, 0.5), running("other", Duration.ofSeconds(60), Vectors.cpu(0.9)));

        running.sweep(T0.plus(Duration.ofHours(1)));

        assertThat(end().company()).isEqualTo(Company.UNKNOWN);
    }

    @Test
    void ofMoreContainersThanItCanHoldSomeTeachNothingBeforeTheyEnd() {
        RunningTasks two = new RunningTasks(profiles, container -> Optional.of(Tasks.SORT), 2);
        for (int minute = 1; minute <= 10; minute++) {
            List<ContainerReport> reports = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                reports.add(running("c" + i, Duration.ofMinutes(minute), Vectors.cpu(0.5)));
            }
            two.observe(sampleOf(reports), T0);
        }

        assertThat(profile().samples()).isEqualTo(2);

        two.forget("c0");
        two.observe(sampleOf(List.of(running("c4", Duration.ofMinutes(1), Vectors.cpu(0.5)))), T0);
        two.observe(sampleOf(List.of(running("c4", Duration.ofMinutes(10), Vectors.cpu(0.5)))), T0);
        assertThat(profile().samples()).as("there is a place again").isGreaterThan(2);
    }

    private TaskSample end() {
        return running.ended(Tasks.SORT, lived(100, 0.5), true, Scale.ONE, T0);
    }

    private TaskProfile profile() {
        return profiles.find(Tasks.SORT).orElseThrow();
    }

    private static double cpu(TaskProfile profile) {
        return profile.load().level(Signal.CPU).orElseThrow();
    }

    private void look(ContainerReport... containers) {
        running.observe(sampleOf(new ArrayList<>(List.of(containers))), T0);
    }

    private NodeSample sampleOf(List<ContainerReport> containers) {
        Instant at = T0.plusSeconds(++sequence);
        return NodeSample.of(
                "node-1:8041",
                node(sequence, containers.toArray(ContainerReport[]::new)),
                at,
                Optional.empty(),
                Duration.ofSeconds(5),
                Whereabouts.AS_REPORTED);
    }

    private static TaskSample sample(LaunchSignature launch, double cpu) {
        return new TaskSample(
                Tasks.SORT,
                Vectors.cpu(cpu),
                Vectors.cpu(cpu),
                Optional.of(Duration.ofSeconds(10)),
                T0,
                Optional.of(launch),
                Company.UNKNOWN);
    }

    private static ContainerReport launched(String container, LaunchSignature launch) {
        ContainerReport report = running(container, Vectors.cpu(0.5));
        return new ContainerReport(container, report.observed(), false, report.readings(), Optional.of(launch));
    }

    /** A container after {@code seconds}, with this mean since it began. */
    private static ContainerReport lived(double seconds, double mean) {
        return container(seconds, mean, mean);
    }

    private static ContainerReport container(double seconds, double mean, double newest) {
        return new ContainerReport(
                "c1",
                Duration.ofMillis(Math.round(seconds * 1000)),
                false,
                Map.of(Signal.CPU, new Reading.Measured(newest, mean, newest, false, "proc")));
    }

    private static ContainerReport usingMemory(double seconds, double newest) {
        ContainerReport report = lived(seconds, 0.5);
        Map<Signal, Reading> readings = new EnumMap<>(report.readings());
        readings.put(Signal.MEM, new Reading.Measured(newest, 0.2, newest, false, "proc"));
        return new ContainerReport(report.container(), report.observed(), false, readings);
    }
}
