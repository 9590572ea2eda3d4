package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Untold;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class NodeMonitorTest {
    @TempDir
    private Path directory;

    private FakeProc fake;
    private NodeMonitor monitor;
    private long nanos = 1;

    @BeforeEach
    void aNodeThatHasDoneNothingYet() {
        fake = new FakeProc(directory);
        monitor = monitor(fake.proc, fake.sys, directory);
        put("meminfo", "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 250 kB\n");
        put("loadavg", "0.50 0.40 0.30 2/345 6789\n");
        stat("0 0 0 0 0 0 0 0", 0, 0);
        put("vmstat", "nr_free_pages 1\npgfault 0\npgmajfault 0\n");
        pressure("cpu", 0, 0);
        pressure("io", 0, 0);
        pressure("memory", 0, 0);
    }

    private NodeMonitor monitor(Path proc, Path sys, Path local) {
        return monitor(proc, sys, local, Runnable::run);
    }

    private NodeMonitor monitor(Path proc, Path sys, Path local, Executor elsewhere) {
        NodeCapacities capacities = new NodeCapacities(sys, OptionalDouble.of(5e8), OptionalLong.empty());
        return new NodeMonitor(
                new ProcFiles(proc, sys),
                new DiskSpace(List.of(local), () -> nanos, elsewhere),
                capacities,
                () -> nanos);
    }

    private void put(String file, String text) {
        FakeProc.write(fake.proc.resolve(file), text);
    }

    private void stat(String cpu, long switches, long interrupts) {
        put(
                "stat",
                "cpu  %s 0 0\ncpu0 %s 0 0\nintr %d 1 2\nctxt %d\nbtime 1\nprocs_running 3\nprocs_blocked 4\n"
                        .formatted(cpu, cpu, interrupts, switches));
    }

    private void pressure(String kind, long some, long full) {
        put(
                "pressure/" + kind,
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n"
                        .formatted(some, full));
    }

    private Map<NodeMetric, Double> look() throws IOException {
        return monitor.look().values();
    }

    private Map<NodeMetric, Double> lookAfter(int seconds) throws IOException {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
        return look();
    }

    @Test
    void everyLookHasTheCapacitiesOrWhyTheyAreNotKnown() {
        assertThat(monitor.look().values()).containsEntry(NodeMetric.DISKRATE, 5e8);
        assertThat(monitor.look().untold()).isEqualTo(Map.of(NodeMetric.NETWORKRATE, Untold.NO_INTERFACE));
    }

    @Test
    void firstLookHasWhatIsNoGrowth() throws IOException {
        assertThat(look())
                .containsEntry(NodeMetric.CPUS, 2.0)
                .containsEntry(NodeMetric.MEMORYBYTES, 1_024_000.0)
                .containsEntry(NodeMetric.MEMORY, 0.75)
                .containsEntry(NodeMetric.RUNNABLE, 3.0)
                .containsEntry(NodeMetric.BLOCKED, 4.0)
                .containsEntry(NodeMetric.THREADS, 345.0)
                .containsKey(NodeMetric.SPACE)
                .doesNotContainKeys(NodeMetric.CPU, NodeMetric.SWITCHES, NodeMetric.PSICPU, NodeMetric.READS);
    }

    @Test
    void growthIsOfTheTimeBetweenTwoLooks() throws IOException {
        look();
        stat("30 10 20 100 20 5 5 10", 2000, 500);
        put("vmstat", "pgfault 300\npgmajfault 8\n");
        pressure("cpu", 500_000, 0);
        pressure("io", 200_000, 100_000);
        pressure("memory", 20_000, 10_000);
        fake.disk(8, 1000, 16, 3000);

        Map<NodeMetric, Double> told = lookAfter(2);

        assertThat(told)
                .containsEntry(NodeMetric.SWITCHES, 1000.0)
                .containsEntry(NodeMetric.INTERRUPTS, 250.0)
                .containsEntry(NodeMetric.FAULTS, 150.0)
                .containsEntry(NodeMetric.MAJORFAULTS, 4.0)
                .containsEntry(NodeMetric.PSICPU, 0.25)
                .containsEntry(NodeMetric.DISK, 2.0)
                .containsEntry(NodeMetric.READB, 8 * 512 / 2.0)
                .containsEntry(NodeMetric.WRITEB, 16 * 512 / 2.0);
        // Of 200 ticks 130 were idle, waiting for a disk, or another machine's.
        assertThat(told.get(NodeMetric.CPU)).isCloseTo(0.35, within(1e-6));
        assertThat(told.get(NodeMetric.IRQ)).isCloseTo(0.05, within(1e-6));
        assertThat(told.get(NodeMetric.STEAL)).isCloseTo(0.05, within(1e-6));
        assertThat(told.get(NodeMetric.PSIIO)).isCloseTo(0.1, within(1e-6));
        assertThat(told.get(NodeMetric.PSIIOF)).isCloseTo(0.05, within(1e-6));
        assertThat(told.get(NodeMetric.PSIMEM)).isCloseTo(0.01, within(1e-6));
    }

    @Test
    void countThatWentBackTellsNothing() throws IOException {
        stat("30 10 20 100 20 5 5 10", 2000, 500);
        pressure("io", 200_000, 100_000);
        look();
        stat("0 0 0 0 0 0 0 0", 10, 600);
        pressure("io", 0, 0);

        assertThat(lookAfter(1))
                .doesNotContainKeys(NodeMetric.CPU, NodeMetric.SWITCHES, NodeMetric.PSIIO, NodeMetric.PSIIOF)
                .containsEntry(NodeMetric.INTERRUPTS, 100.0);
    }

    @Test
    void timeThatStandsStillTellsNoGrowth() throws IOException {
        look();

        assertThat(look())
                .doesNotContainKeys(NodeMetric.SWITCHES, NodeMetric.CPU)
                .containsKey(NodeMetric.MEMORY);
    }

    @Test
    void fileThatIsNotThereOrIsNoneLeavesOutWhatItWouldHaveTold() throws IOException {
        Files.delete(fake.proc.resolve("pressure/cpu"));
        put("pressure/io", "some\nfull total=\n");
        put("meminfo", "MemTotal: many\n");
        put("loadavg", "0.5\n");
        put("stat", "cpu  1 2\nctxt\n");
        Files.delete(fake.proc.resolve("vmstat"));
        look();

        assertThat(lookAfter(1))
                .containsOnlyKeys(
                        NodeMetric.CPUS,
                        NodeMetric.DISKRATE,
                        NodeMetric.SPACE,
                        NodeMetric.PSIMEM,
                        NodeMetric.PSIMEMF,
                        NodeMetric.READS,
                        NodeMetric.WRITES,
                        NodeMetric.READB,
                        NodeMetric.WRITEB,
                        NodeMetric.DISK);
    }

    @Test
    void diskThatIsNotThereHasNoSpaceToTell() throws IOException {
        monitor = monitor(fake.proc, fake.sys, directory.resolve("gone"));

        assertThat(look()).doesNotContainKey(NodeMetric.SPACE);
    }

    @Test
    void whereNoThreadCanBeStartedTheRestIsTold() throws IOException {
        monitor = monitor(fake.proc, fake.sys, directory, look -> {
            throw new InternalError("unable to create native thread");
        });

        assertThat(look()).containsEntry(NodeMetric.THREADS, 345.0).doesNotContainKey(NodeMetric.SPACE);
    }

    @Test
    void anErrorLeavesOutWhatTheNodeSays() {
        NodeMonitor broken = new NodeMonitor(
                new ProcFiles(fake.proc, fake.sys),
                new DiskSpace(List.of(directory), () -> nanos, Runnable::run),
                new NodeCapacities(fake.sys, OptionalDouble.empty(), OptionalLong.empty()),
                () -> {
                    throw new NoClassDefFoundError("gone");
                });

        assertThat(broken.look()).isEqualTo(NodeFigures.EMPTY);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineTellsOfItself() throws IOException {
        monitor = monitor(Path.of("/proc"), Path.of("/sys"), directory);
        look();

        assertThat(lookAfter(1))
                .containsKeys(NodeMetric.CPUS, NodeMetric.MEMORY, NodeMetric.THREADS, NodeMetric.SPACE)
                .allSatisfy((metric, value) ->
                        assertThat(value).isBetween(0.0, metric.unit() == NodeMetric.Unit.SHARE ? 1.0 : 1e15));
    }
}
