package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.StoreDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {
    @TempDir
    private Path directory;

    private Instant now = T0;
    private final Faults faults = new Faults(() -> now, (message, error) -> {});
    private final ThreadByHand thread = new ThreadByHand();
    private final ProfileRepository profiles = new ProfileRepository(1);
    private final List<String> beside = new ArrayList<>();
    private boolean reachable = true;
    private boolean readable = true;
    private int opens;
    private final ProfileWriter writer = new ProfileWriter(
            profiles,
            "store",
            location -> {
                opens++;
                return directory();
            },
            Runnable::run,
            faults);
    private final Storage storage = new Storage(writer, thread, this::readBeside, true, faults, () -> now);

    private boolean readBeside() {
        beside.add(readable ? "read" : "tried");
        return readable;
    }

    private StoreDirectory directory() throws IOException {
        if (!reachable) {
            throw new IOException("safe mode");
        }
        return new LocalDirectory(directory);
    }

    /** Runs nothing until it is told to, and never ends what hangs. */
    private static final class ThreadByHand extends AbstractExecutorService {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private boolean down;
        private boolean atOnce;

        void run() {
            while (!tasks.isEmpty()) {
                tasks.poll().run();
            }
        }

        @Override
        public void execute(Runnable task) {
            if (atOnce) {
                task.run();
            } else {
                tasks.add(task);
            }
        }

        @Override
        public void shutdown() {
            down = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return down;
        }

        @Override
        public boolean isTerminated() {
            return down && tasks.isEmpty();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isTerminated();
        }
    }

    @Test
    void nobodyWaitsForAStoreThatHangsAndHealthSaysSo() {
        storage.tend();
        learn();
        for (int i = 0; i < 40; i++) {
            now = now.plusSeconds(1);
            storage.tend();
        }

        assertThat(thread.tasks).as("what waits for it").hasSize(1);
        assertThat(storage.status().problem()).hasValue("store has not answered for 40 s; profiles are kept in memory");
        thread.run();
        storage.tend();
        thread.run();
        assertThat(storage.status().problem()).isEmpty();
        assertThat(nextLife().find(Tasks.SORT)).as("what was learnt meanwhile").isPresent();
    }

    @Test
    void storeThatCannotBeOpenedIsTriedAgainLessAndLessOften() {
        reachable = false;
        tend(Duration.ofHours(1));

        assertThat(opens).isBetween(15, 25);
        assertThat(faults.counts()).containsEntry(Part.STORE, (long) opens);
        assertThat(storage.status().problem()).isPresent();
        learn();
        reachable = true;
        tend(Duration.ofMinutes(6));

        assertThat(storage.status().problem()).isEmpty();
        assertThat(nextLife().find(Tasks.SORT)).isPresent();
    }

    @Test
    void whatIsBesideIsReadBeforeItIsWrittenAndOnlyTheNewestOfIt() {
        reachable = false;
        storage.later("observations", () -> beside.add("old"));
        storage.later("observations", () -> beside.add("new"));
        tend(Duration.ofSeconds(5));
        assertThat(beside).isEmpty();

        reachable = true;
        tend(Duration.ofMinutes(1));

        assertThat(beside).containsExactly("read", "new");
    }

    @Test
    void whatCannotBeReadBesideIsTriedAgainAndNothingIsWrittenOverIt() {
        readable = false;
        storage.later("observations", () -> beside.add("written"));
        tend(Duration.ofHours(1));

        assertThat(beside).hasSizeBetween(15, 25).containsOnly("tried");
        assertThat(storage.status().problem()).as("of the profiles").isEmpty();
        beside.clear();
        readable = true;
        tend(Duration.ofMinutes(6));

        assertThat(beside).containsExactly("read", "written");
    }

    @Test
    void whatWasNeverReadBesideIsNotWrittenOverAtTheEnd() throws Exception {
        readable = false;
        storage.tend();
        thread.run();
        storage.later("observations", () -> beside.add("written"));
        thread.atOnce = true;

        storage.stop(Duration.ZERO);

        assertThat(beside).containsExactly("tried");
    }

    @Test
    void storedProfileOfManySamplesIsNotLostForOneThatWasLearntMeanwhile() {
        ProfileRepository before = new ProfileRepository(1);
        ProfileWriter earlier = writer(before);
        assertThat(earlier.load(now)).isTrue();
        for (int i = 0; i < 100; i++) {
            before.record(Tasks.sample(Vectors.cpu(0.25), Duration.ofSeconds(10)));
        }
        assertThat(earlier.save()).isTrue();
        learn();

        storage.tend();
        thread.run();

        assertThat(profiles.find(Tasks.SORT).orElseThrow().samples()).isEqualTo(100);
    }

    @Test
    void activeOneTakesTheStoreBackFromOneThatHungUntilItHadStopped() {
        storage.tend();
        thread.run();
        learn();
        ProfileRepository others = new ProfileRepository(1);
        assertThat(writer(others).load(now)).as("a late claim").isTrue();
        tend(Duration.ofSeconds(59));
        assertThat(storage.status().problem()).hasValueSatisfying(problem -> assertThat(problem)
                .endsWith("was taken over by another ResourceManager"));

        tend(Duration.ofSeconds(5));

        assertThat(storage.status().problem()).isEmpty();
        assertThat(nextLife().find(Tasks.SORT)).isPresent();
    }

    @Test
    void whatHangsWhenThePluginStopsNeverClaimsTheStoreAfterwards() throws Exception {
        storage.tend();
        storage.stop(Duration.ZERO);
        ProfileRepository others = new ProfileRepository(1);
        ProfileWriter next = writer(others);
        assertThat(next.load(now)).isTrue();

        thread.run();

        others.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
        assertThat(next.save()).as("the next active one goes on writing").isTrue();
    }

    @Test
    void whatWasLearntLastIsWrittenAtTheEnd() throws Exception {
        storage.tend();
        thread.run();
        learn();
        storage.later("observations", () -> beside.add("written"));
        thread.atOnce = true;

        storage.stop(Duration.ZERO);

        assertThat(beside).containsExactly("read", "written");
        assertThat(nextLife().find(Tasks.SORT)).isPresent();
    }

    private void tend(Duration time) {
        for (Instant end = now.plus(time); now.isBefore(end); now = now.plusSeconds(1)) {
            storage.tend();
            thread.run();
        }
    }

    private void learn() {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
    }

    private ProfileRepository nextLife() {
        ProfileRepository next = new ProfileRepository(1);
        assertThat(writer(next).load(now)).isTrue();
        return next;
    }

    private ProfileWriter writer(ProfileRepository of) {
        return new ProfileWriter(of, "store", location -> new LocalDirectory(directory), Runnable::run, faults);
    }
}
