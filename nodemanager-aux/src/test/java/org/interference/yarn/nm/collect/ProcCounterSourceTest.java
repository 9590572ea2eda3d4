package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcCounterSourceTest {
    private static final long SECOND = 1_000_000_000;
    private static final String ID = "container_1_0001_01_000001";
    private static final WatchedContainer CONTAINER = new WatchedContainer(ID, 100);

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(7 * SECOND);
    private FakeProc fake;
    private ProcCounterSource source;

    @BeforeEach
    void containerOfTwoProcesses() {
        fake = new FakeProc(directory);
        source = new ProcCounterSource(fake.proc, fake.sys, nanos::get);
        fake.process(1, 0, 1);
        fake.thread(1, 1, 0, 0);
        fake.process(100, 1, 100);
        fake.thread(100, 100, 5 * SECOND, SECOND);
        fake.process(101, 100, 100);
        fake.thread(101, 101, 0, 0);
        fake.thread(101, 102, 0, 0);
    }

    @Test
    void cpuIsOnCpuTimeOverTimeTimesCpus() throws IOException {
        sample();
        fake.thread(100, 100, 5 * SECOND + SECOND / 2, SECOND);
        fake.thread(101, 102, SECOND / 4, SECOND / 4);

        Map<Signal, Count> counts = sampleAfterOneSecond();

        assertThat(counts).containsEntry(Signal.CPU, counted(0.75 * SECOND, 2 * SECOND));
        assertThat(counts).containsEntry(Signal.CPUWAIT, counted(0.25 * SECOND, SECOND));
    }

    /** A thread that lives between two samples is in no file of a thread; the group has counted it. */
    @Test
    void whereYarnHasMadeAGroupThreadsThatEndedCount() throws IOException {
        group("0::/yarn/" + ID, "cgroup2 cgroup2 rw");
        Path stat = directory.resolve("cgroup/yarn").resolve(ID).resolve("cpu.stat");
        FakeProc.write(stat, "usage_usec 3000000\nuser_usec 1\nsystem_usec 2\n");
        sample();
        fake.thread(100, 100, 5 * SECOND + SECOND / 4, SECOND + SECOND / 4);
        FakeProc.write(stat, "usage_usec 4500000\nuser_usec 1\nsystem_usec 2\n");

        Map<Signal, Count> counts = sampleAfterOneSecond();

        assertThat(counts)
                .containsEntry(Signal.CPU, new Count.Counted(1.5 * SECOND, 2 * SECOND, false, "cgroup"))
                .containsEntry(Signal.CPUWAIT, counted(0.25 * SECOND, 0.5 * SECOND));
    }

    @Test
    void version1CountsInItsOwnHierarchy() throws IOException {
        group("3:memory:/\n4:cpu,cpuacct:/yarn/" + ID, "cgroup cgroup rw,cpu,cpuacct");
        Path usage = directory.resolve("cgroup/yarn").resolve(ID).resolve("cpuacct.usage");
        FakeProc.write(usage, 7 * SECOND + "\n");
        sample();
        FakeProc.write(usage, 8 * SECOND + "\n");

        assertThat(sampleAfterOneSecond())
                .containsEntry(Signal.CPU, new Count.Counted(SECOND, 2 * SECOND, false, "cgroup"));
    }

    /** The group of both processes is YARN's. */
    private void group(String cgroups, String mount) {
        FakeProc.write(
                fake.proc.resolve("self/mountinfo"),
                "41 31 0:38 / " + directory.resolve("cgroup") + " rw - " + mount + "\n");
        FakeProc.write(fake.proc.resolve("100/cgroup"), cgroups + "\n");
        FakeProc.write(directory.resolve("cgroup/yarn").resolve(ID).resolve("cgroup.procs"), "100\n101\n");
    }

    @Test
    void firstSampleIsTheBaselineOnly() throws IOException {
        assertThat(sample()).containsEntry(Signal.CPU, counted(0, 0));
    }

    @Test
    void countsOnlyGrowAlthoughAProcessEnds() throws IOException {
        sample();
        fake.thread(101, 102, SECOND / 2, 0);
        sampleAfterOneSecond();
        fake.end(fake.proc.resolve("101"));

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(0.5 * SECOND, 4 * SECOND));
    }

    @Test
    void blockQueueIsTheShareOfTheDiskTimeByBytes() throws IOException {
        sample();
        fake.io(101, 512 * 50, 0);
        fake.disk(100, 3000, 0, 0);

        Map<Signal, Count> counts = sampleAfterOneSecond();

        assertThat(counts)
                .containsEntry(Signal.BLK, new Count.Counted(1.5 * SECOND, SECOND, true, ProcCounterSource.NAME));
    }

    @Test
    void blockWaitNeedsDelayAccounting() throws IOException {
        sample();
        assertThat(sampleAfterOneSecond()).containsEntry(Signal.BLKWAIT, notCounted("kernel.task_delayacct is not 1"));
        fake.delayAccounting(1);
        sampleAfterOneSecond();
        fake.thread(101, 101, 0, 0, 30);

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.BLKWAIT, counted(0.3 * SECOND, SECOND));
    }

    @Test
    void whatProcDoesNotKnowSaysWhy() throws IOException {
        Map<Signal, Count> counts = sample();

        assertThat(counts).containsOnlyKeys(Signal.values());
        assertThat(List.of(Signal.NETP, Signal.NETS, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.FUTEX))
                .allSatisfy(signal -> assertThat(counts.get(signal)).isInstanceOf(Count.NotCounted.class));
    }

    @Test
    void nodeWithoutAPhysicalDiskHasNoBlockQueue() throws IOException {
        fake.end(fake.sys.resolve("block"));

        assertThat(sample()).containsEntry(Signal.BLK, notCounted("no whole physical disk in /sys/block"));
    }

    @Test
    void kernelWithoutSchedstatHasNoCpuCounts() throws IOException {
        fake.end(fake.proc.resolve("self/schedstat"));

        assertThat(sample()).containsEntry(Signal.CPU, notCounted("this kernel has no /proc/PID/schedstat"));
    }

    @Test
    void containerThatWasNeverVisibleIsNotIdle() throws IOException {
        Map<Signal, Count> counts =
                source.snapshot(List.of(new WatchedContainer(ID, 999))).get(ID);

        assertThat(counts).containsEntry(Signal.CPU, notCounted("no process of the container is visible in /proc"));
    }

    @Test
    void containerWhoseProcessesAreGoneIsNotIdleAndCountsOnWhenItIsLaunchedAgain() throws IOException {
        sample();
        fake.thread(101, 102, SECOND / 2, 0);
        sampleAfterOneSecond();
        fake.end(fake.proc.resolve("100"));
        fake.end(fake.proc.resolve("101"));
        nanos.addAndGet(SECOND);
        assertThat(source.snapshot(List.of(new WatchedContainer(ID, 100)))).isEmpty();

        fake.process(200, 1, 200);
        fake.thread(200, 200, SECOND / 4, 0);
        nanos.addAndGet(SECOND);
        Map<Signal, Count> again =
                source.snapshot(List.of(new WatchedContainer(ID, 200))).get(ID);

        assertThat(again).containsEntry(Signal.CPU, counted(0.75 * SECOND, 4 * SECOND));
    }

    @Test
    void membersOfTheCgroupCountWhereverTheyStandInTheTree() throws IOException {
        Path cgroup = directory.resolve("cgroup/yarn").resolve(ID);
        FakeProc.write(
                fake.proc.resolve("self/mountinfo"),
                "41 31 0:38 / " + directory.resolve("cgroup") + " rw - cgroup2 cgroup2 rw\n");
        FakeProc.write(fake.proc.resolve("100/cgroup"), "0::/yarn/" + ID + "\n");
        FakeProc.write(cgroup.resolve("cgroup.procs"), "100\n0\n");
        FakeProc.write(cgroup.resolve("nested/cgroup.procs"), "300\n");
        fake.process(300, 1, 300);
        fake.thread(300, 300, 0, 0);
        sample();
        fake.thread(300, 300, SECOND / 2, 0);
        fake.thread(101, 102, SECOND / 8, 0);

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(0.5 * SECOND, 2 * SECOND));
    }

    @Test
    void containerThatIsNoLongerWatchedIsForgotten() throws IOException {
        sample();

        assertThat(source.snapshot(List.of())).isEmpty();
    }

    @Test
    void sampleWithoutTimePassingAddsNothing() throws IOException {
        sample();
        fake.thread(101, 102, SECOND / 2, 0);

        assertThat(sample()).containsEntry(Signal.CPU, counted(0, 0));
        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(0.5 * SECOND, 2 * SECOND));
    }

    @Test
    void failedSampleMakesTheNextOneABaseline() throws IOException {
        sample();
        Path cpus = fake.sys.resolve("devices/system/cpu/online");
        Files.delete(cpus);
        assertThatThrownBy(this::sampleAfterOneSecond).isInstanceOf(IOException.class);
        FakeProc.write(cpus, "0-1\n");
        fake.thread(101, 102, SECOND / 2, 0);

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(0, 0));
    }

    @Test
    void bothProcessesOfTwoContainersStayApart() throws IOException {
        WatchedContainer other = new WatchedContainer("other", 200);
        fake.process(200, 1, 200);
        fake.thread(200, 200, 0, 0);
        source.snapshot(List.of(CONTAINER, other));
        fake.thread(200, 200, SECOND / 2, 0);
        nanos.addAndGet(SECOND);

        Map<String, Map<Signal, Count>> counts = source.snapshot(List.of(CONTAINER, other));

        assertThat(((Count.Counted) counts.get(ID).get(Signal.CPU)).used()).isZero();
        assertThat(((Count.Counted) counts.get("other").get(Signal.CPU)).used()).isCloseTo(0.5 * SECOND, within(1.0));
    }

    private Map<Signal, Count> sample() throws IOException {
        return source.snapshot(List.of(CONTAINER)).get(ID);
    }

    private Map<Signal, Count> sampleAfterOneSecond() throws IOException {
        nanos.addAndGet(SECOND);
        return sample();
    }

    private static Count counted(double used, double capacity) {
        return new Count.Counted(used, capacity, false, ProcCounterSource.NAME);
    }

    private static Count notCounted(String reason) {
        return new Count.NotCounted(reason, ProcCounterSource.NAME);
    }
}
