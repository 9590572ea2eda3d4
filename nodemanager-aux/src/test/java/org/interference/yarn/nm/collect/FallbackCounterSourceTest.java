package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FallbackCounterSourceTest {
    private static final String ID = "container_1_0001_01_000001";
    private static final List<WatchedContainer> RUNNING = List.of(new WatchedContainer(ID, 100));
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    private final AtomicLong offset = new AtomicLong(Long.MAX_VALUE - SECOND);
    private final FakeCounterSource preferred = new FakeCounterSource();
    private final List<FakeCounterSource> spares = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final FallbackCounterSource source =
            new FallbackCounterSource(preferred, this::spare, offset::get, this::changed);

    @Test
    void whileThePreferredSourceAnswersNoOtherIsMade() throws IOException {
        preferred.cpu(ID, 1, 2);

        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ID);
        source.snapshot(RUNNING);

        assertThat(spares).isEmpty();
        assertThat(changes).containsExactly("fake");
    }

    @Test
    void failureIsCoveredInTheSameTick() throws IOException {
        source.snapshot(RUNNING);
        preferred.broken = true;

        assertThat(source.snapshot(RUNNING)).containsOnlyKeys(ID);

        assertThat(changes).containsExactly("fake", "fake because the fake is broken");
    }

    @Test
    void failedSourceIsTriedAgainEveryFiveSecondsAndToldOnce() throws IOException {
        preferred.broken = true;
        for (int tick = 0; tick < 11; tick++) {
            source.snapshot(RUNNING);
            offset.addAndGet(SECOND);
        }

        assertThat(preferred.snapshots()).isEqualTo(3);
        assertThat(spares).singleElement().satisfies(spare -> assertThat(spare.snapshots())
                .isEqualTo(11));
        assertThat(changes).containsExactly("fake because the fake is broken");
    }

    @Test
    void preferredSourceComesBackAndTheNextFailureMeetsAFreshSpare() throws IOException {
        preferred.broken = true;
        source.snapshot(RUNNING);
        preferred.broken = false;
        offset.addAndGet(5 * SECOND);
        source.snapshot(RUNNING);
        preferred.broken = true;
        source.snapshot(RUNNING);

        assertThat(spares).extracting(spare -> spare.closed).containsExactly(true, false);
        assertThat(changes)
                .containsExactly("fake because the fake is broken", "fake", "fake because the fake is broken");
    }

    @Test
    void bugInThePreferredSourceIsCoveredToo() throws IOException {
        FallbackCounterSource buggy =
                new FallbackCounterSource(new BuggySource(), this::spare, offset::get, this::changed);

        assertThat(buggy.snapshot(RUNNING)).containsOnlyKeys(ID);
    }

    @Test
    void stoppedSamplerIsNoChangeOfSource() {
        preferred.broken = true;
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> source.snapshot(RUNNING));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(changes).isEmpty();
    }

    @Test
    void closeClosesBoth() throws IOException {
        preferred.broken = true;
        source.snapshot(RUNNING);

        source.close();

        assertThat(preferred.closed).isTrue();
        assertThat(spares).allMatch(spare -> spare.closed);
    }

    /** The whole node side but YARN: a daemon on a socket, a made-up /proc, and the sampler. */
    @Test
    void levelsStayTrueWhileTheDaemonDiesAndComesBack() throws IOException {
        FakeProc proc = new FakeProc(directory.resolve("fake"));
        proc.process(100, 1, 100);
        AtomicLong skipped = new AtomicLong();
        // Slow, because a machine that is busy with other tests may take longer than the daemon is given.
        LongSupplier clock = () -> System.nanoTime() / 20 + skipped.get();
        Path socket = FakeIntpd.socketIn(directory);
        FakeIntpd daemon = FakeIntpd.start(socket, 1);
        Sampler sampler = new Sampler(
                new FallbackCounterSource(
                        new IntpdCounterSource(socket, clock, pid -> OptionalLong.empty()),
                        () -> new ControlGroupCounterSource(proc.proc, proc.sys, clock),
                        clock,
                        this::changed),
                () -> List.of(new ListedContainer(ID, OptionalLong.of(100), Optional.empty())),
                () -> Instant.EPOCH,
                clock,
                new FakeEvents(),
                Sampler.newThread());
        try {
            daemon.cpu(ID, 50, 100);
            assertThat(tick(sampler)).isInstanceOf(Reading.Unavailable.class);
            daemon.cpu(ID, 51, 102);
            assertThat(tick(sampler)).isEqualTo(measured(0.5, 0.5, "ebpf"));

            daemon.close();
            assertThat(tick(sampler)).isEqualTo(new Reading.Unavailable("no second sample yet", "proc"));
            skipped.addAndGet(SECOND);
            assertThat(tick(sampler)).isInstanceOfSatisfying(Reading.Measured.class, level -> assertThat(level.level())
                    .isZero());

            daemon = FakeIntpd.start(socket, 2);
            daemon.cpu(ID, 60, 103);
            skipped.addAndGet(5 * SECOND);
            assertThat(tick(sampler)).isEqualTo(new Reading.Unavailable("no second sample yet", "ebpf"));
            daemon.cpu(ID, 61, 107);
            assertThat(tick(sampler)).isInstanceOfSatisfying(Reading.Measured.class, level -> assertThat(level.level())
                    .isEqualTo(0.25));
        } finally {
            sampler.close();
            daemon.close();
        }

        assertThat(changes).hasSize(3);
        assertThat(changes.get(0)).isEqualTo("intpd");
        assertThat(changes.get(1)).startsWith("cgroup because intpd at ");
        assertThat(changes.get(2)).isEqualTo("intpd");
    }

    private static Reading tick(Sampler sampler) throws IOException {
        sampler.tick();
        return sampler.newest().orElseThrow().containers().get(0).readings().get(Signal.CPU);
    }

    private static Reading measured(double level, double mean, String source) {
        return new Reading.Measured(level, mean, level, false, source);
    }

    private CounterSource spare() {
        FakeCounterSource spare = new FakeCounterSource();
        spare.cpu(ID, 0, 0);
        spares.add(spare);
        return spare;
    }

    private void changed(String used, Optional<Exception> failure) {
        changes.add(used + failure.map(e -> " because " + e.getMessage()).orElse(""));
    }

    private static final class BuggySource implements CounterSource {
        @Override
        public String name() {
            return "buggy";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) {
            throw new IllegalStateException("a bug");
        }
    }
}
