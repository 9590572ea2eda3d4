package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Different tasks under one name, and the stages that tell them apart. */
class SplitTest {
    private static final LaunchSignature SHELL = new LaunchSignature(1);
    private static final LaunchSignature JAVA = new LaunchSignature(2);

    private final ProfileRepository repository = new ProfileRepository(1);

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @Test
    void oneProgramIsNotSplit() {
        for (int run = 0; run < 50; run++) {
            record(run, Optional.of(SHELL), 0.5);
        }

        assertThat(repository.find(task(49)).orElseThrow().key().text()).isEqualTo("mapreduce/job/map/default");
    }

    @Test
    void twoProgramsOfOneNameAreToldApartByWhatTheirStageLaunched() {
        record(1, Optional.of(SHELL), 0.1);
        record(2, Optional.of(JAVA), 0.9);

        repository.seen(task(3).stage().orElseThrow(), Optional.of(SHELL), InterferenceVector.EMPTY);
        repository.seen(task(4).stage().orElseThrow(), Optional.of(JAVA), InterferenceVector.EMPTY);

        assertThat(cpu(3)).isEqualTo(0.1);
        assertThat(cpu(4)).isEqualTo(0.9);
        assertThat(repository.find(task(4)).orElseThrow().key())
                .isEqualTo(new TaskKey(TaskKey.Level.NAME, "mapreduce/job/map/default@0000000000000002"));
    }

    @Test
    void whatWasLearntBeforeTheSecondProgramCameBelongsToTheFirst() {
        for (int i = 0; i < 5; i++) {
            record(1, Optional.of(SHELL), 0.1);
        }
        record(2, Optional.of(JAVA), 0.9);

        assertThat(repository.find(task(1)).orElseThrow().samples()).isEqualTo(5);
        assertThat(repository.find(task(2)).orElseThrow().samples()).isEqualTo(1);
    }

    /** What an administrator forgets as it was learnt of something else does not come back with the next task. */
    @Test
    void whoForgetsAKindForgetsItsParts() {
        record(1, Optional.of(SHELL), 0.1);
        record(2, Optional.of(JAVA), 0.9);
        TaskKey other = new TaskKey(TaskKey.Level.NAME, "mapreduce/job/map/default@corp");
        repository.merge(List.of(repository.all().get(0).as(other)));

        assertThat(repository.remove("mapreduce/job/map/default")).isTrue();

        assertThat(repository.all())
                .extracting(profile -> profile.key().text())
                .noneMatch(key -> key.startsWith("mapreduce/job/map/default") && !key.equals(other.text()))
                .contains(other.text());
    }

    @Test
    void stageOfWhichNothingIsKnownGetsTheWhole() {
        record(1, Optional.of(SHELL), 0.1);
        record(2, Optional.of(JAVA), 0.9);

        assertThat(cpu(7)).isEqualTo(0.5);
        assertThat(repository.find(Tasks.map("job")).orElseThrow().mixture().isPolluted())
                .isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void twoClustersOfCountersAreToldApartByWhatTheStageUses(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 60; run++) {
            double center = random.nextBoolean() ? 0.2 : 0.8;
            record(run, Optional.of(SHELL), center + 0.02 * random.nextDouble());
        }

        repository.seen(task(100).stage().orElseThrow(), Optional.of(SHELL), cpuOf(0.25));
        repository.seen(task(101).stage().orElseThrow(), Optional.of(SHELL), cpuOf(0.75));

        assertThat(cpu(100)).isBetween(0.2, 0.23);
        assertThat(cpu(101)).isBetween(0.8, 0.83);
    }

    @Test
    void partsOfAProgramAreSplitByCountersToo() {
        for (int run = 0; run < 60; run++) {
            record(run, Optional.of(run % 3 == 0 ? JAVA : SHELL), run % 2 == 0 ? 0.2 : 0.8);
        }

        repository.seen(task(100).stage().orElseThrow(), Optional.of(SHELL), cpuOf(0.75));

        assertThat(repository.find(task(100)).orElseThrow().key().text())
                .isEqualTo("mapreduce/job/map/default@0000000000000001~cpu+");
    }

    @Test
    void endlesslyManyProgramsUnderOneNameDoNotMakeEndlesslyManyProfiles() {
        for (int i = 0; i < 1000; i++) {
            record(i, Optional.of(new LaunchSignature(i)), 0.5);
        }

        assertThat(repository.all()).hasSizeLessThan(20);
    }

    private double cpu(int run) {
        return repository.find(task(run)).orElseThrow().load().level(Signal.CPU).orElseThrow();
    }

    private void record(int run, Optional<LaunchSignature> launch, double cpu) {
        repository.record(new TaskSample(
                task(run),
                cpuOf(cpu),
                InterferenceVector.EMPTY,
                Optional.of(Duration.ofSeconds(30)),
                Tasks.T0,
                launch,
                Company.UNKNOWN));
    }

    private static InterferenceVector cpuOf(double level) {
        return new InterferenceVector(Map.of(Signal.CPU, level));
    }

    private static TaskIdentity task(int run) {
        return Tasks.map("job").in("application_" + run);
    }
}
