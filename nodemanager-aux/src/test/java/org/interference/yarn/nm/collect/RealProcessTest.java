package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Samples real processes of this machine, launched as YARN launches a container: as leader of a session. */
@EnabledOnOs(OS.LINUX)
class RealProcessTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final List<ListedContainer> running = new ArrayList<>();
    private final Sampler sampler = new Sampler(
            new ControlGroupCounterSource(Path.of("/proc"), Path.of("/sys"), System::nanoTime),
            () -> running,
            InstantSource.system(),
            System::nanoTime,
            new FakeEvents(),
            Sampler.newThread());
    private Process launched;

    /** The root only waits: all the CPU time is that of its child. */
    @BeforeEach
    void launch() throws IOException {
        launched = new ProcessBuilder("setsid", "sh", "-c", "sh -c 'while :; do :; done' & wait").start();
        running.add(new ListedContainer("container_real", OptionalLong.of(launched.pid()), Optional.empty()));
    }

    @AfterEach
    void stop() throws InterruptedException {
        sampler.close();
        kill();
    }

    @Test
    void busyChildOfTheRootIsCounted() throws IOException {
        ContainerReport report =
                tickUntil(seen -> seen.newest().level(Signal.CPU).orElse(0) > 0.05);

        assertThat(report.newest().level(Signal.CPU).orElseThrow()).isGreaterThan(0.05);
        assertThat(report.mean().level(Signal.MEM).orElseThrow()).isBetween(1e-6, 0.5);
        assertThat(report.readings().get(Signal.CPUWAIT)).isInstanceOf(Reading.Unavailable.class);
    }

    @Test
    void killedContainerKeepsItsLastLevelAndThenIsEnded() throws Exception {
        tickUntil(seen -> seen.newest().level(Signal.CPU).orElse(0) > 0.05);
        kill();
        ContainerReport killed = tickUntilNothingMoves();
        running.clear();

        ContainerReport last = tickUntil(ContainerReport::ended);

        assertThat(last.readings()).isEqualTo(killed.readings());
        assertThat(last.mean().level(Signal.CPU).orElseThrow()).isPositive();
    }

    /** On a busy machine a killed child outlives its parent by a tick or two. */
    private ContainerReport tickUntilNothingMoves() throws IOException {
        AtomicReference<Map<Signal, Reading>> before = new AtomicReference<>();
        return tickUntil(seen -> seen.readings().equals(before.getAndSet(seen.readings())));
    }

    private ContainerReport tickUntil(Predicate<ContainerReport> condition) throws IOException {
        long start = System.nanoTime();
        ContainerReport seen = null;
        while (System.nanoTime() - start < DEADLINE.toNanos()) {
            sampler.tick();
            List<ContainerReport> containers = sampler.newest().orElseThrow().containers();
            seen = containers.isEmpty() ? seen : containers.get(0);
            if (seen != null && condition.test(seen)) {
                return seen;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return fail("not reached within " + DEADLINE + ", last seen: " + seen);
    }

    private void kill() throws InterruptedException {
        launched.descendants().forEach(ProcessHandle::destroyForcibly);
        launched.destroyForcibly();
        launched.waitFor(10, TimeUnit.SECONDS);
    }
}
