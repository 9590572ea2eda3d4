package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node under load whose collector is killed and comes back. The collector is the real intpd where that is built and this
 * user is root, and else a fake one on a real socket; the processes and {@code /proc} are real in both cases.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class CollectorRestartTest {
    private static final Path INTPD =
            Path.of(System.getProperty("interference.intpd", "../intp-collector/build/intpd"));
    private static final int CONTAINERS = 4;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(40);

    /** The counts of a window are read after its time, and late on a busy machine; a mixed-up epoch is off by far more. */
    private static final double SKEW = 0.5;

    @TempDir
    private Path directory;

    private final List<Process> load = new ArrayList<>();
    private final List<ListedContainer> running = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final FakeEvents events = new FakeEvents();
    private Path socket;
    private Sampler sampler;
    private int daemons;

    private interface Daemon {
        void kill() throws IOException, InterruptedException;
    }

    @BeforeEach
    void busyNode() throws IOException {
        socket = FakeIntpd.socketIn(directory);
        for (int container = 0; container < CONTAINERS; container++) {
            Process loop = new ProcessBuilder("setsid", "timeout", "100", "sh", "-c", "while :; do :; done").start();
            load.add(loop);
            running.add(new ListedContainer(
                    "container_1_0001_01_00000" + container, OptionalLong.of(loop.pid()), Optional.empty()));
        }
        sampler = new Sampler(
                new FallbackCounterSource(
                        new IntpdCounterSource(
                                socket, System::nanoTime, new ProcFiles(Path.of("/proc"), Path.of("/sys"))::startTicks),
                        () -> new ControlGroupCounterSource(Path.of("/proc"), Path.of("/sys"), System::nanoTime),
                        System::nanoTime,
                        (source, failure) -> changes.add(source)),
                () -> running,
                InstantSource.system(),
                System::nanoTime,
                events,
                Sampler.newThread());
    }

    @AfterEach
    void stop() throws InterruptedException {
        sampler.close();
        for (Process loop : load) {
            loop.descendants().forEach(ProcessHandle::destroyForcibly);
            loop.destroyForcibly().waitFor();
        }
    }

    @Test
    void collectorKilledAndRestartedUnderLoadCostsNoTickAndNoFalseLevel() throws Exception {
        Daemon first = start();
        tickUntilAllAreMeasuredBy(false);
        first.kill();
        tickUntilAllAreMeasuredBy(true);
        Daemon second = start();
        tickUntilAllAreMeasuredBy(false);
        second.kill();
        tickUntilAllAreMeasuredBy(true);

        // On a machine so busy that the collector misses a deadline, there are more changes of the same kind before.
        assertThat(String.join(" ", changes)).endsWith("intpd cgroup intpd cgroup");
        assertThat(events.failures).isEmpty();
    }

    private void tickUntilAllAreMeasuredBy(boolean proc) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < DEADLINE_NANOS) {
            sampler.tick();
            List<ContainerReport> reports = sampler.newest().orElseThrow().containers();
            assertThat(reports).hasSizeGreaterThan(CONTAINERS - 1).noneMatch(ContainerReport::ended);
            double sum = reports.stream()
                    .mapToDouble(report -> report.newest().level(Signal.CPU).orElse(0))
                    .sum();
            assertThat(sum).as("share of the node's CPUs").isBetween(0.0, 1 + SKEW);
            if (reports.stream().allMatch(report -> isMeasuredBy(report, proc))) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        fail("not all containers are measured by " + (proc ? "/proc" : "the collector") + "; last seen: "
                + sampler.newest());
    }

    private static boolean isMeasuredBy(ContainerReport report, boolean proc) {
        Reading cpu = report.readings().get(Signal.CPU);
        return cpu instanceof Reading.Measured && cpu.source().equals(ControlGroupCounterSource.PROC) == proc;
    }

    private Daemon start() throws IOException {
        boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        return root && Files.isExecutable(INTPD) ? startIntpd() : startFake();
    }

    private Daemon startIntpd() throws IOException {
        Process intpd = new ProcessBuilder(INTPD.toAbsolutePath().toString(), "serve", "--socket", socket.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        load.add(intpd);
        long start = System.nanoTime();
        while (!Files.exists(socket) && System.nanoTime() - start < DEADLINE_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return () -> {
            intpd.destroyForcibly().waitFor();
            Files.deleteIfExists(socket);
        };
    }

    /** Counts half of a CPU's time for all containers together, from its own start on. */
    private Daemon startFake() throws IOException {
        daemons++;
        FakeIntpd fake = FakeIntpd.start(socket, daemons);
        long start = System.nanoTime();
        fake.sending = answer -> {
            double elapsed = System.nanoTime() - start;
            running.forEach(container -> fake.cpu(container.id(), elapsed / (2 * CONTAINERS), elapsed));
            return answer;
        };
        return fake::close;
    }
}
