package org.interference.yarn.nm.folders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.data.Percentage;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCounterSourceTest {
    private static final String ID = Folders.CONTAINER.id();
    private static final Percentage ROUNDING = Percentage.withPercentage(1e-6);

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));
    private final Counted counted = new Counted();
    private Folders folders;
    private FolderCounterSource source;

    @BeforeEach
    void aContainerThatIsCounted() {
        folders = new Folders(directory);
        source = new FolderCounterSource(counted, folders.local, nanos::get, Now::new);
    }

    /** A thread that has done its work when it is started. */
    private static final class Now extends Thread {
        private final Runnable work;

        Now(Runnable work) {
            this.work = work;
        }

        @Override
        public synchronized void start() {
            work.run();
        }
    }

    /** Counts the CPU time of all containers, unless it is told not to. */
    private static final class Counted implements CounterSource {
        private final Map<String, Map<String, Double>> preemptors = Map.of("c", Map.of("d", 1.0));
        private final Map<String, List<Flow>> flows =
                Map.of("c", List.of(new Flow(Endpoint.ofIpv4(1, 7117), Endpoint.ofIpv4(2, 80), 3, 4)));
        private Optional<Count> cpu = Optional.of(new Count.Counted(1, 2, false, "fake"));
        private boolean closed;

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) {
            Map<String, Map<Signal, Count>> counts = new HashMap<>();
            cpu.ifPresent(
                    count -> containers.forEach(container -> counts.put(container.id(), Map.of(Signal.CPU, count))));
            return counts;
        }

        @Override
        public Map<String, Map<String, Double>> preemptors() {
            return preemptors;
        }

        @Override
        public Map<String, List<Flow>> flows() {
            return flows;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void isTheOtherSourceInAllThatTheFoldersDoNotTell() throws IOException {
        assertThat(source.name()).isEqualTo("fake");
        assertThat(source.preemptors()).isEqualTo(counted.preemptors);
        assertThat(source.flows()).isEqualTo(counted.flows);
        assertThat(snapshotAfter(1)).containsEntry(Signal.CPU, new Count.Counted(1, 2, false, "fake"));
        source.close();
        assertThat(counted.closed).isTrue();
    }

    @Test
    void progressIsOperationsBySecondsFromReadingToReading() throws IOException {
        folders.write(0, ProgressFile.NAME, "1000");
        assertThat(snapshotAfter(1).get(Signal.PROGRESS)).isEqualTo(progress(0, 0));
        folders.write(0, ProgressFile.NAME, "1600\n");
        assertThat(snapshotAfter(2).get(Signal.PROGRESS)).isEqualTo(progress(600, 2));

        folders.write(0, ProgressFile.NAME, "");
        assertThat(snapshotAfter(1).get(Signal.PROGRESS)).isEqualTo(progress(600, 2));
        Files.delete(folders.path(0, ProgressFile.NAME));
        assertThat(snapshotAfter(1).get(Signal.PROGRESS))
                .isEqualTo(new Count.NotCounted(ProgressFile.NONE, "application"));
    }

    @Test
    void footprintIsHeldFromOneSampleToTheNextAndLookedAtOnceAMinute() throws IOException {
        double room = directory.toFile().getTotalSpace() / 1024.0;
        folders.write(0, "spill", "x".repeat(10 * 1024));
        assertThat(level(snapshotAfter(1), snapshotAfter(3))).isCloseTo(10 / room, ROUNDING);

        folders.write(0, "spill", "x".repeat(30 * 1024));
        assertThat(level(snapshotAfter(1), snapshotAfter(54))).isCloseTo(10 / room, ROUNDING);
        snapshotAfter(4);
        assertThat(level(snapshotAfter(1), snapshotAfter(1))).isCloseTo(30 / room, ROUNDING);
    }

    @Test
    void oneContainerAfterTheOtherIsWalkedThrough() throws IOException {
        List<WatchedContainer> two = List.of(
                Folders.CONTAINER,
                new WatchedContainer("container_1700000000000_0001_01_000003", 2, Optional.of("alice")));
        Files.createDirectories(WorkFolder.of(two.get(1), folders.local).get(0).path());
        Map<String, Map<Signal, Count>> first = source.snapshot(two);
        Map<String, Map<Signal, Count>> second = source.snapshot(two);

        assertThat(first.values())
                .filteredOn(counts -> counts.get(Signal.DISK) instanceof Count.Counted)
                .hasSize(1);
        assertThat(second.values())
                .filteredOn(counts -> counts.get(Signal.DISK) instanceof Count.Counted)
                .hasSize(2);
    }

    @Test
    void containerWhoseUserIsNotToldHasNoFolders() throws IOException {
        Map<Signal, Count> counts =
                source.snapshot(List.of(new WatchedContainer(ID, 1))).get(ID);

        assertThat(counts)
                .containsEntry(Signal.PROGRESS, new Count.NotCounted(ContainerFolders.UNKNOWN, "application"))
                .containsEntry(Signal.DISK, new Count.NotCounted(ContainerFolders.UNKNOWN, "folders"));
    }

    /** One that has ended keeps its last sample, which a sample with its folders alone would replace. */
    @Test
    void whatIsNotCountedOtherwiseHasNoFoldersEither() throws IOException {
        folders.write(0, ProgressFile.NAME, "1000");
        counted.cpu = Optional.of(new Count.NotCounted("gone", "fake"));
        assertThat(snapshotAfter(1).values())
                .allSatisfy(count -> assertThat(count).isInstanceOf(Count.NotCounted.class));

        counted.cpu = Optional.empty();
        assertThat(source.snapshot(List.of(Folders.CONTAINER))).isEmpty();
    }

    @Test
    void lookThatDoesNotComeBackIsGivenUpAndAnotherThreadGoesOn() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        List<Thread> begun = new ArrayList<>();
        try (FolderCounterSource hanging = new FolderCounterSource(counted, folders.local, nanos::get, work -> {
            Thread thread = new Thread(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // As of a system call that goes on all the same.
                    waitForEver(release);
                }
                work.run();
            });
            begun.add(thread);
            return thread;
        })) {
            for (int second = 0; second <= 10; second++) {
                hanging.snapshot(List.of(Folders.CONTAINER));
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            }
            assertThat(begun).hasSize(1);
            for (int second = 0; second < 100; second++) {
                hanging.snapshot(List.of(Folders.CONTAINER));
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            }

            // So many may hang, and then nobody looks any more.
            assertThat(begun).hasSize(4);
        } finally {
            release.countDown();
        }
    }

    @Test
    void whereNoThreadCanBeStartedTheOtherSourceIsHeardAllTheSameAndTheNextLookTriesAgain() throws IOException {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        folders.write(0, ProgressFile.NAME, "1000");
        FolderCounterSource starved = new FolderCounterSource(
                counted, folders.local, nanos::get, work -> exhausted.get() ? new Unstartable() : new Now(work));

        assertThat(starved.snapshot(List.of(Folders.CONTAINER)).get(ID))
                .containsEntry(Signal.CPU, new Count.Counted(1, 2, false, "fake"));

        exhausted.set(false);
        assertThat(starved.snapshot(List.of(Folders.CONTAINER)).get(ID)).containsEntry(Signal.PROGRESS, progress(0, 0));
    }

    /** As where the processes of a user are as many as they may be; JUnit would end at the OutOfMemoryError of then. */
    private static final class Unstartable extends Thread {
        @Override
        public synchronized void start() {
            throw new InternalError("unable to create native thread");
        }
    }

    private static void waitForEver(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void ownThreadLooks() throws IOException, InterruptedException {
        folders.write(0, ProgressFile.NAME, "1000");
        try (FolderCounterSource real = new FolderCounterSource(counted, folders.local, System::nanoTime)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            Count progress;
            do {
                progress = real.snapshot(List.of(Folders.CONTAINER)).get(ID).get(Signal.PROGRESS);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            } while (!(progress instanceof Count.Counted) && System.nanoTime() < end);

            assertThat(progress).isInstanceOf(Count.Counted.class);
        }
    }

    private Map<Signal, Count> snapshotAfter(long seconds) throws IOException {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        return source.snapshot(List.of(Folders.CONTAINER)).get(ID);
    }

    private static Count progress(double operations, double seconds) {
        return new Count.Counted(operations, seconds, false, "application");
    }

    private static double level(Map<Signal, Count> from, Map<Signal, Count> to) {
        Count.Counted before = (Count.Counted) from.get(Signal.DISK);
        Count.Counted after = (Count.Counted) to.get(Signal.DISK);
        return (after.used() - before.used()) / (after.capacity() - before.capacity());
    }
}
