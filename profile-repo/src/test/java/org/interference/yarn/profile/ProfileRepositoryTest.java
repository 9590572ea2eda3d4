package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class ProfileRepositoryTest {
    private static final TaskIdentity SORT = Tasks.map("sort");

    @Test
    void taskThatNeverRanHasNoProfile() {
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(Tasks.sample(Tasks.map("grep"), 0.5));

        assertThat(repository.find(SORT)).isEmpty();
    }

    @Test
    void profileIsFoundFromTheMinimumOfSamplesOn() {
        ProfileRepository repository = new ProfileRepository(3);
        repository.record(Tasks.sample(SORT, 0.5));
        repository.record(Tasks.sample(SORT, 0.5));
        assertThat(repository.find(SORT)).isEmpty();

        repository.record(Tasks.sample(SORT, 0.5));

        assertThat(repository.find(SORT)).isPresent();
    }

    @Test
    void nextRunOfAJobFindsWhatTheLastOneLeft() {
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(Tasks.sample(Tasks.map("PageRank application_1329348432655_0001"), 0.5));

        assertThat(repository.find(Tasks.map("PageRank application_1329348432655_0002")))
                .hasValueSatisfying(
                        profile -> assertThat(profile.load().level(Signal.CPU)).hasValue(0.5));
    }

    @Test
    void tagWinsOverName() {
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(Tasks.sample(SORT, 0.1));
        repository.record(Tasks.sample(Tasks.taggedMap("another name", "nightly"), 0.9));

        assertThat(repository.find(Tasks.taggedMap("sort", "nightly")))
                .hasValueSatisfying(
                        profile -> assertThat(profile.load().level(Signal.CPU)).hasValue(0.9));
    }

    @Test
    void nameStandsInForATagWithTooFewSamples() {
        ProfileRepository repository = new ProfileRepository(2);
        repository.record(Tasks.sample(SORT, 0.2));
        repository.record(Tasks.sample(Tasks.taggedMap("sort", "nightly"), 0.4));

        assertThat(repository.find(Tasks.taggedMap("sort", "nightly")))
                .hasValueSatisfying(profile -> assertThat(profile.key().level()).isEqualTo(TaskKey.Level.NAME));
    }

    @Test
    void restoreBringsBackAnEarlierLife() {
        ProfileRepository earlier = new ProfileRepository(1);
        earlier.record(Tasks.sample(SORT, 0.5));
        ProfileRepository repository = new ProfileRepository(1);

        repository.restore(earlier.all());

        assertThat(repository.find(SORT)).isEqualTo(earlier.find(SORT)).isPresent();
    }

    @Test
    void restoreDoesNotOverwriteWhatWasLearntMeanwhile() {
        ProfileRepository earlier = new ProfileRepository(1);
        earlier.record(Tasks.sample(SORT, 0.9));
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(Tasks.sample(SORT, 0.1));

        repository.restore(earlier.all());

        assertThat(repository.find(SORT).orElseThrow().load().level(Signal.CPU)).hasValue(0.1);
    }

    @Test
    void samplesAfterARestoreContinueTheStoredProfile() {
        ProfileRepository earlier = new ProfileRepository(1);
        earlier.record(Tasks.sample(SORT, 0.25));
        ProfileRepository repository = new ProfileRepository(1);
        repository.restore(earlier.all());

        repository.record(Tasks.sample(SORT, 0.75));

        TaskProfile profile = repository.find(SORT).orElseThrow();
        assertThat(profile.samples()).isEqualTo(2);
        assertThat(profile.load().level(Signal.CPU)).hasValue(0.5);
    }

    @Test
    void versionGrowsWithEverySampleAndWithNothingElse() {
        ProfileRepository repository = new ProfileRepository(1);
        long before = repository.version();
        repository.record(Tasks.sample(SORT, 0.5));
        long afterOne = repository.version();
        repository.find(SORT);
        repository.all();
        long afterReading = repository.version();
        repository.record(Tasks.sample(SORT, 0.5));

        assertThat(afterOne).isGreaterThan(before);
        assertThat(afterReading).isEqualTo(afterOne);
        assertThat(repository.version()).isGreaterThan(afterReading);
    }

    @Test
    void concurrentRecordsLoseNoSample() throws Exception {
        int threads = 4;
        int samplesEach = 2000;
        ProfileRepository repository = new ProfileRepository(1);
        CyclicBarrier together = new CyclicBarrier(threads);
        Callable<Void> recording = () -> {
            together.await(10, TimeUnit.SECONDS);
            for (int i = 0; i < samplesEach; i++) {
                repository.record(Tasks.sample(SORT, 0.5));
            }
            return null;
        };
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(recording));
            }
            for (Future<Void> one : running) {
                one.get(30, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }

        TaskProfile profile = repository.find(SORT).orElseThrow();
        assertThat(profile.samples()).isEqualTo((long) threads * samplesEach);
        assertThat(profile.signals().get(Signal.CPU).count()).isEqualTo((long) threads * samplesEach);
        assertThat(repository.version()).isEqualTo((long) threads * samplesEach);
    }
}
