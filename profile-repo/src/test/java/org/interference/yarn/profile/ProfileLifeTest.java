package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States, standing in, eviction, and what a writer is told. */
class ProfileLifeTest {
    private static final Duration STALE_AFTER = Duration.ofDays(1);
    private static final int MOST = 100;

    private final ProfileRepository repository = new ProfileRepository(
            new ProfileSettings("/unused", 2, 5, MOST, STALE_AFTER, ClusterCount.BEST, SharedTags.NONE));

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    @Test
    void profileIsProbedThenKnownThenStaleThenKnownAgain() {
        repository.record(at("sort", Tasks.T0, 0.5));
        assertThat(state("sort")).isEqualTo(ProfileState.PROBING);

        repository.record(at("sort", Tasks.T0, 0.5));
        repository.sweep(Tasks.T0.plus(STALE_AFTER));
        assertThat(state("sort")).isEqualTo(ProfileState.KNOWN);

        Instant later = Tasks.T0.plus(STALE_AFTER).plusMillis(1);
        repository.sweep(later);
        assertThat(state("sort")).isEqualTo(ProfileState.STALE);

        repository.record(at("sort", later, 0.5));
        assertThat(state("sort")).isEqualTo(ProfileState.KNOWN);
    }

    @Test
    void taskThatNeverRanGetsWhatItsTypeAndRoleUsuallyDoes() {
        for (int i = 0; i < 5; i++) {
            repository.record(at("job" + (char) ('a' + i), Tasks.T0, 0.5));
        }

        assertThat(repository.find(Tasks.map("another"))).hasValueSatisfying(profile -> assertThat(profile.key())
                .isEqualTo(new TaskKey(TaskKey.Level.ROLE, "mapreduce/map")));
    }

    @Test
    void taskThatWasSeenTooSeldomGetsTheProfileOfItsClass() {
        repository.classify(
                profile -> Optional.of(profile.of("cpu=high", new InterferenceVector(Map.of(Signal.CPU, 0.9)))));
        repository.record(at("sort", Tasks.T0, 0.5));

        TaskProfile found = repository.find(Tasks.map("sort")).orElseThrow();

        assertThat(found.key()).isEqualTo(new TaskKey(TaskKey.Level.CLASS, "cpu=high"));
        assertThat(found.load().level(Signal.CPU)).hasValue(0.9);
        assertThat(found.runTimeSeconds().count()).isEqualTo(1);
        assertThat(repository.find(Tasks.map("another"))).isEmpty();

        repository.record(at("sort", Tasks.T0, 0.5));
        assertThat(repository.find(Tasks.map("sort")).orElseThrow().load().level(Signal.CPU))
                .hasValue(0.5);
    }

    @Test
    void fewTasksOfATypeStandInForNone() {
        for (int i = 0; i < 4; i++) {
            repository.record(at("job" + (char) ('a' + i), Tasks.T0, 0.5));
        }

        assertThat(repository.find(Tasks.map("another"))).isEmpty();
    }

    @Test
    void memberOfASuiteThatNeverRanGetsWhatTheSuiteDoes() {
        repository.record(at("q1", Tasks.T0, 0.2));
        repository.record(at("q1", Tasks.T0, 0.2));
        repository.record(at("q2", Tasks.T0, 0.8));
        repository.record(at("q2", Tasks.T0, 0.8));

        assertThat(repository.find(Tasks.map("q2")).orElseThrow().load().level(Signal.CPU))
                .hasValue(0.8);
        assertThat(repository.find(Tasks.map("q3")).orElseThrow().load().level(Signal.CPU))
                .hasValue(0.5);
    }

    @Test
    void staleProfileIsUsedBeforeACoarseOne() {
        repository.record(at("sort", Tasks.T0, 0.9));
        repository.record(at("sort", Tasks.T0, 0.9));
        Instant later = Tasks.T0.plus(STALE_AFTER).plusSeconds(1);
        for (int i = 0; i < 10; i++) {
            repository.record(at("grep", later, 0.1));
        }
        repository.sweep(later);

        assertThat(repository.find(Tasks.map("sort")).orElseThrow().load().level(Signal.CPU))
                .hasValue(0.9);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void thereAreNeverMoreProfilesThanATenthAboveTheBound(long seed) {
        Random random = new Random(seed);
        Instant now = Tasks.T0;
        for (int i = 0; i < 2000; i++) {
            now = now.plusSeconds(60);
            repository.record(at("job" + word(random.nextInt(1000)), now, 0.5));
            assertThat(repository.size()).isLessThanOrEqualTo(MOST + MOST / 10);
            if (random.nextInt(20) == 0) {
                repository.sweep(now);
                assertThat(repository.size()).isLessThanOrEqualTo(MOST);
            }
        }
        assertThat(repository.all()).hasSize(repository.size());
    }

    @Test
    void evictionKeepsWhatIsOftenAndLatelyUsed() {
        for (int i = 0; i < 1000; i++) {
            repository.record(at("daily", Tasks.T0, 0.5));
        }
        Instant now = Tasks.T0;
        for (int i = 0; i < 500; i++) {
            now = now.plusSeconds(3600);
            repository.record(at("once" + word(i), now, 0.5));
            repository.sweep(now);
        }

        assertThat(repository.find(Tasks.map("daily")))
                .hasValueSatisfying(profile -> assertThat(profile.key().level()).isEqualTo(TaskKey.Level.NAME));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whoAppliesEveryChangeHasWhatTheRepositoryHas(long seed) {
        Random random = new Random(seed);
        Map<TaskKey, TaskProfile> copy = new HashMap<>();
        Instant now = Tasks.T0;
        for (int i = 0; i < 1000; i++) {
            now = now.plusSeconds(60);
            repository.record(at("job" + word(random.nextInt(300)), now, random.nextDouble()));
            if (random.nextInt(10) == 0) {
                repository.sweep(now);
            }
            if (random.nextInt(5) == 0) {
                List<Change> changes = repository.changes();
                if (random.nextInt(3) == 0) {
                    repository.changedAgain(changes);
                } else {
                    changes.forEach(change -> change.profile()
                            .ifPresentOrElse(
                                    profile -> copy.put(change.key(), profile), () -> copy.remove(change.key())));
                }
            }
        }
        repository.changes().forEach(change -> change.profile()
                .ifPresentOrElse(profile -> copy.put(change.key(), profile), () -> copy.remove(change.key())));

        assertThat(copy.values()).containsExactlyInAnyOrderElementsOf(repository.all());
        assertThat(repository.changes()).isEmpty();
    }

    /** A store that hangs, and a tenant who asks with ever new priorities. */
    @Test
    void whatWaitsToBeWrittenIsBounded() {
        Instant now = Tasks.T0;
        for (int i = 0; i < 50 * MOST; i++) {
            now = now.plusSeconds(1);
            repository.record(at("job" + word(i), now, 0.5));
            repository.sweep(now);
        }

        assertThat(repository.forgettings()).isPositive();
        List<Change> changes = repository.changes();
        assertThat(changes).hasSizeLessThan(3 * MOST);
        assertThat(changes.stream().flatMap(change -> change.profile().stream()))
                .as("all there are are written")
                .containsExactlyInAnyOrderElementsOf(repository.all());
    }

    @Test
    void whatAnAdministratorRemovedStaysSoThoughTooMuchWaitsToBeWritten() {
        ProfileRepository earlier = new ProfileRepository(1);
        earlier.record(at("sort", Tasks.T0, 0.5));
        TaskKey key = Tasks.map("sort").keys().get(0);
        repository.restore(earlier.all());
        repository.changes();
        assertThat(repository.remove(key.text())).isTrue();
        Instant now = Tasks.T0;
        for (int i = 0; i < 10 * MOST; i++) {
            now = now.plusSeconds(1);
            repository.record(at("job" + word(i), now, 0.5));
            repository.sweep(now);
            if (i % MOST == 0) {
                repository.changedAgain(repository.changes());
            }
        }

        repository.restore(earlier.all());
        assertThat(repository.all()).extracting(TaskProfile::key).doesNotContain(key);
        List<Change> changes = repository.changes();
        assertThat(changes).contains(new Change(key, Optional.empty()));

        repository.written(changes);
        repository.restore(earlier.all());
        assertThat(repository.all())
                .as("another one has learnt it since")
                .extracting(TaskProfile::key)
                .contains(key);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void fewSamplesMakeOneProfileInWhateverOrderTheyCome(long seed) {
        Random random = new Random(seed);
        List<TaskSample> samples = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            samples.add(at("sort", Tasks.T0.plusSeconds(random.nextInt(100)), random.nextInt(64) / 64.0));
        }
        TaskProfile first = learnt(samples);

        Collections.shuffle(samples, random);
        TaskProfile second = learnt(samples);

        assertThat(second.samples()).isEqualTo(first.samples());
        assertThat(second.updated()).isEqualTo(first.updated());
        assertThat(second.load().level(Signal.CPU).orElseThrow())
                .isCloseTo(first.load().level(Signal.CPU).orElseThrow(), within(1e-7));
    }

    @Test
    void mergedProfileWinsOnlyIfItIsNewer() {
        TaskKey key = Tasks.map("sort").keys().get(0);
        TaskProfile older = TaskProfile.empty(key).with(at("sort", Tasks.T0, 0.1));
        TaskProfile newer = TaskProfile.empty(key).with(at("sort", Tasks.T0.plusSeconds(1), 0.9));

        repository.merge(List.of(newer));
        repository.merge(List.of(older));

        assertThat(repository.all()).containsExactly(newer);
        assertThat(repository.changes()).containsExactly(new Change(key, Optional.of(newer)));
    }

    @Test
    void runTimesAreKeptApartByCompany() {
        TaskProfile profile = TaskProfile.empty(Tasks.map("server").keys().get(0))
                .with(ran(100, Company.ALONE))
                .with(ran(200, Company.CONTENDED))
                .with(ran(300, Company.UNKNOWN));

        assertThat(profile.runTimes().alone().mean()).isEqualTo(100);
        assertThat(profile.runTimes().contended().mean()).isEqualTo(200);
        assertThat(profile.runTimeSeconds().mean()).isEqualTo(200);
        assertThat(profile.runTimeSeconds().count()).isEqualTo(3);
        assertThat(profile.samples()).isEqualTo(3);
    }

    private static TaskSample ran(int seconds, Company company) {
        return new TaskSample(
                Tasks.map("server"),
                new InterferenceVector(Map.of(Signal.CPU, 0.5)),
                InterferenceVector.EMPTY,
                Optional.of(Duration.ofSeconds(seconds)),
                Tasks.T0,
                Optional.empty(),
                company);
    }

    private static TaskProfile learnt(List<TaskSample> samples) {
        ProfileRepository repository = new ProfileRepository(1);
        samples.forEach(repository::record);
        return repository.find(Tasks.map("sort")).orElseThrow();
    }

    private ProfileState state(String job) {
        TaskKey key = Tasks.map(job).keys().get(0);
        return repository.all().stream()
                .filter(profile -> profile.key().equals(key))
                .map(repository::state)
                .findFirst()
                .orElse(ProfileState.UNKNOWN);
    }

    /** Letters only: digits do not tell jobs apart. */
    private static String word(int number) {
        return Integer.toString(number)
                .chars()
                .mapToObj(digit -> String.valueOf((char) (digit - '0' + 'a')))
                .reduce("", String::concat);
    }

    private static TaskSample at(String job, Instant finishedAt, double cpu) {
        return new TaskSample(
                Tasks.map(job), new InterferenceVector(Map.of(Signal.CPU, cpu)), Duration.ofSeconds(30), finishedAt);
    }
}
