package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupCounterSourceTest {
    private static final long SECOND = 1_000_000_000;
    private static final double NODE_KIB = 1_048_576;
    private static final String ID = "container_1_0001_01_000001";
    private static final WatchedContainer CONTAINER = new WatchedContainer(ID, 100);
    private static final List<Signal> PRESSURES =
            List.of(Signal.PSICPU, Signal.PSICPUF, Signal.PSIIO, Signal.PSIIOF, Signal.PSIMEM, Signal.PSIMEMF);

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(7 * SECOND);
    private FakeProc fake;
    private ControlGroupCounterSource source;

    /** Of 200 threads each, of which no file is there. */
    @BeforeEach
    void containerOfTwoProcesses() {
        fake = new FakeProc(directory);
        source = new ControlGroupCounterSource(fake.proc, fake.sys, nanos::get);
        fake.process(1, 0, 1);
        fake.process(100, 1, 100);
        fake.process(101, 100, 100);
    }

    @Nested
    class OfVersion2 {
        private static final List<String> PRESSURE_FILES = List.of("cpu.pressure", "io.pressure", "memory.pressure");

        private Path group;

        @BeforeEach
        void theContainerHasAGroup() {
            group = group("0::/yarn/" + ID, "cgroup2 cgroup2 rw");
            cpu(3_000_000);
            put("memory.current", "8192000\n");
            put("memory.stat", "anon 4096000\nfile 3072000\ninactive_file 2048000\n");
            io(0, 0);
            PRESSURE_FILES.forEach(file -> pressure(file, 0, 0));
        }

        private void put(String file, String text) {
            FakeProc.write(group.resolve(file), text);
        }

        private void cpu(long micros) {
            put("cpu.stat", "usage_usec %d\nuser_usec 1\nsystem_usec 2\n".formatted(micros));
        }

        /** Beside the disk there are a partition and a layer, which have the same bytes again. */
        private void io(long read, long written) {
            put(
                    "io.stat",
                    "253:0 rbytes=77 wbytes=77 rios=1 wios=1\n8:0 rbytes=%d wbytes=%d rios=1 wios=1 dbytes=0 dios=0\n"
                            .formatted(read, written));
        }

        private void pressure(String file, long some, long full) {
            put(
                    file,
                    "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n"
                            .formatted(some, full));
        }

        @Test
        void cpuTimeIsTheGroups() throws IOException {
            sample();
            cpu(4_500_000);

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(1.5 * SECOND, 2 * SECOND));
        }

        /** Between two looks memory is taken to have grown evenly; what reclaim can take is not in use. */
        @Test
        void memoryIsWhatReclaimCannotTake() throws IOException {
            sample();
            put("memory.current", "10240000\n");

            assertThat(sampleAfterOneSecond())
                    .containsEntry(Signal.MEM, counted((6000 + 8000) / 2.0, NODE_KIB))
                    .containsEntry(Signal.MEMANON, counted(4000, NODE_KIB))
                    .containsEntry(Signal.MEMFILE, counted(3000, NODE_KIB));
        }

        @Test
        void bytesAreThoseOfWholeDisks() throws IOException {
            io(500, 600);
            sample();
            io(1500, 2600);

            assertThat(sampleAfterOneSecond())
                    .containsEntry(Signal.READB, counted(1000, 1))
                    .containsEntry(Signal.WRITEB, counted(2000, 1));
        }

        @Test
        void pressureIsTheTimeInWhichTasksWereStalled() throws IOException {
            pressure("memory.pressure", 5, 5);
            sample();
            pressure("memory.pressure", 250_005, 5);

            assertThat(sampleAfterOneSecond())
                    .containsEntry(Signal.PSIMEM, counted(0.25 * SECOND, SECOND))
                    .containsEntry(Signal.PSIMEMF, counted(0, SECOND));
        }

        /** Once its root is known nothing of a process is read but the name of the root's group. */
        @Test
        void processesAreNotLookedAt() throws IOException {
            sample();
            fake.end(fake.proc.resolve("101"));
            Files.delete(fake.proc.resolve("100/stat"));
            cpu(4_000_000);

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(SECOND, 2 * SECOND));
        }

        @Test
        void aCountThatGoesBackIsAbsentAndGoesOnFromThere() throws IOException {
            sample();
            cpu(4_000_000);
            sampleAfterOneSecond();
            cpu(1_000_000);
            assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, notCounted("the kernel's count began anew"));
            cpu(1_500_000);

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(1.5 * SECOND, 4 * SECOND));
        }

        /** The bytes of the other disk would hide that it is gone. */
        @Test
        void aDiskThatVanishesIsNoGrowth() throws IOException {
            FakeProc.write(fake.sys.resolve("block/sdb/device/vendor"), "fake\n");
            FakeProc.write(fake.sys.resolve("block/sdb/dev"), "8:16\n");
            put("io.stat", "8:0 rbytes=10 wbytes=10\n8:16 rbytes=10 wbytes=10\n");
            sample();
            put("io.stat", "8:0 rbytes=90 wbytes=90\n");

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.READB, notCounted("the kernel's count began anew"));
        }

        @Test
        void aDiskThatIsNewCountsFromZero() throws IOException {
            put("io.stat", "");
            sample();
            io(70, 0);

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.READB, counted(70, 1));
        }

        @Test
        void whatIsNotEnabledForTheGroupIsAbsent() throws IOException {
            for (String file : List.of("io.stat", "memory.current", "cpu.pressure", "io.pressure", "memory.pressure")) {
                Files.delete(group.resolve(file));
            }
            fake.process(101, 100, 100, 0, 0, 3);
            sample();
            fake.process(101, 100, 100, 0, 0, 3);

            Map<Signal, Count> counts = sampleAfterOneSecond();

            assertThat(counts.get(Signal.CPU)).isInstanceOf(Count.Counted.class);
            assertThat(PRESSURES)
                    .allSatisfy(signal -> assertThat(counts.get(signal)).isInstanceOf(Count.NotCounted.class));
            assertThat(List.of(Signal.READB, Signal.WRITEB, Signal.MEMANON, Signal.MEMFILE))
                    .allSatisfy(signal -> assertThat(reason(counts, signal)).contains("intpd"));
            assertThat(counts)
                    .containsEntry(
                            Signal.MEM,
                            new Count.Counted(
                                    3.0 * FakeProc.PAGE / 1024, NODE_KIB, false, ControlGroupCounterSource.PROC));
        }

        @Test
        void aFileThatNoKernelWritesIsAbsent() throws IOException {
            sample();
            cpu(4_000_000);
            put("memory.stat", "anon 1\nfile 1\ninactive_file 1\n".repeat(200_000));
            put("io.stat", "8:0 rbytes=-5 wbytes=99999999999999999999\n");
            pressure("io.pressure", -1, 0);

            assertThat(sampleAfterOneSecond())
                    .containsEntry(Signal.CPU, counted(SECOND, 2 * SECOND))
                    .allSatisfy((signal, count) -> {
                        if (List.of(Signal.MEMANON, Signal.READB, Signal.WRITEB, Signal.PSIIO)
                                .contains(signal)) {
                            assertThat(count).isInstanceOf(Count.NotCounted.class);
                        }
                    });
        }

        /** In between nobody may have looked at what was told. */
        @Test
        void aFileThatWasMissingBeginsAnotherEpoch() throws IOException {
            sample();
            sampleAfterOneSecond();
            Files.delete(group.resolve("cpu.pressure"));
            sampleAfterOneSecond();
            pressure("cpu.pressure", 700, 0);

            assertThat(sampleAfterOneSecond())
                    .containsEntry(
                            Signal.PSICPU, new Count.Counted(0, SECOND, false, ControlGroupCounterSource.NAME, 1));
        }

        @Test
        void othersOfTheGroupCountWhenTheRootHasEnded() throws IOException {
            sample();
            fake.end(fake.proc.resolve("100"));
            cpu(4_000_000);

            assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, counted(SECOND, 2 * SECOND));
        }

        @Test
        void aGroupThatDisappearsIsNotIdle() throws IOException {
            sample();
            fake.end(fake.proc.resolve("100"));
            fake.end(fake.proc.resolve("101"));
            fake.end(group);
            nanos.addAndGet(SECOND);

            assertThat(source.snapshot(List.of(CONTAINER))).isEmpty();
        }

        @Test
        void anEmptyGroupIsNotIdle() throws IOException {
            sample();
            fake.end(fake.proc.resolve("100"));
            fake.end(fake.proc.resolve("101"));
            put("cgroup.procs", "");
            nanos.addAndGet(SECOND);

            assertThat(source.snapshot(List.of(CONTAINER))).isEmpty();
        }

        /** What the threads had used before is of another source, and no window spans two. */
        @Test
        void aGroupThatAppearsLaterIsAnotherSource() throws IOException {
            FakeProc.write(fake.proc.resolve("100/cgroup"), "0::/\n");
            assertThat(sample().get(Signal.CPU).source()).isEqualTo("proc");
            FakeProc.write(fake.proc.resolve("100/cgroup"), "0::/yarn/" + ID + "\n");

            assertThat(sampleAfterOneSecond())
                    .containsEntry(Signal.CPU, new Count.Counted(0, 0, false, ControlGroupCounterSource.NAME, 1));
            cpu(3_500_000);
            assertThat(sampleAfterOneSecond())
                    .containsEntry(
                            Signal.CPU,
                            new Count.Counted(0.5 * SECOND, 2 * SECOND, false, ControlGroupCounterSource.NAME, 1));
        }

        private Count counted(double used, double capacity) {
            return new Count.Counted(used, capacity, false, ControlGroupCounterSource.NAME);
        }
    }

    @Test
    void version1CountsInItsHierarchies() throws IOException {
        FakeProc.write(
                fake.proc.resolve("self/mountinfo"),
                "41 31 0:38 / %1$s/cpu rw - cgroup cgroup rw,cpu,cpuacct\n42 31 0:39 / %1$s/memory rw - cgroup cgroup rw,memory\n43 31 0:40 / %1$s/blkio rw - cgroup cgroup rw,blkio\n"
                        .formatted(directory));
        FakeProc.write(
                fake.proc.resolve("100/cgroup"),
                "4:cpu,cpuacct:/y/%1$s\n3:memory:/y/%1$s\n2:blkio:/y/%1$s\n".formatted(ID));
        Path cpu = directory.resolve("cpu/y").resolve(ID).resolve("cpuacct.usage");
        Path memory = directory.resolve("memory/y").resolve(ID);
        Path bytes = directory.resolve("blkio/y").resolve(ID).resolve("blkio.throttle.io_service_bytes");
        FakeProc.write(cpu, 7 * SECOND + "\n");
        FakeProc.write(memory.resolve("memory.usage_in_bytes"), "8192000\n");
        FakeProc.write(
                memory.resolve("memory.stat"),
                "cache 1\nrss 1\ninactive_file 1\ntotal_cache 3072000\ntotal_rss 4096000\ntotal_inactive_file 2048000\n");
        FakeProc.write(bytes, "8:0 Read 512\n8:0 Write 512\n8:0 Total 1024\nTotal 1024\n");
        sample();
        FakeProc.write(cpu, 8 * SECOND + "\n");
        FakeProc.write(bytes, "8:0 Read 1024\n8:0 Write 512\n8:0 Total 1536\nTotal 1536\n");

        Map<Signal, Count> counts = sampleAfterOneSecond();

        assertThat(counts)
                .containsEntry(Signal.CPU, new Count.Counted(SECOND, 2 * SECOND, false, "cgroup"))
                .containsEntry(Signal.MEM, new Count.Counted(6000, NODE_KIB, false, "cgroup"))
                .containsEntry(Signal.MEMANON, new Count.Counted(4000, NODE_KIB, false, "cgroup"))
                .containsEntry(Signal.READB, new Count.Counted(512, 1, false, "cgroup"));
        assertThat(reason(counts, Signal.WRITEB)).contains("version 1").contains("intpd");
        assertThat(PRESSURES)
                .allSatisfy(signal -> assertThat(reason(counts, signal)).contains("version 2"));
    }

    /** Kernels that count there only what is limited say so by listing no disk. */
    @Test
    void version1ThatListsNoDiskHasCountedNone() throws IOException {
        Path group = group("2:blkio:/yarn/" + ID, "cgroup cgroup rw,blkio");
        FakeProc.write(group.resolve("blkio.throttle.io_service_bytes"), "Total 0\n");

        assertThat(reason(sample(), Signal.READB)).contains("intpd");
    }

    @Test
    void nodeWithoutAPhysicalDiskHasNoBytes() throws IOException {
        fake.end(fake.sys.resolve("block"));
        Path group = group("0::/yarn/" + ID, "cgroup2 cgroup2 rw");
        FakeProc.write(group.resolve("io.stat"), "253:0 rbytes=1 wbytes=1\n");

        assertThat(sample()).containsEntry(Signal.READB, notCounted("no whole physical disk in /sys/block"));
    }

    @Test
    void withoutAGroupTimeAndMemoryAreThoseOfTheProcesses() throws IOException {
        sample();
        fake.process(100, 1, 100, 25, 0, 10);
        fake.process(101, 100, 100, 50, 0, 20);

        assertThat(sampleAfterOneSecond())
                .containsEntry(Signal.CPU, ofProcesses(0.75 * SECOND, 2 * SECOND))
                .containsEntry(Signal.MEM, ofProcesses(15.0 * FakeProc.PAGE / 1024, NODE_KIB));
    }

    /** The root has waited for 101, whose 60 ticks are in its own count now; 50 of them had been seen before. */
    @Test
    void whatAProcessUsedUntilItEndedCountsOnce() throws IOException {
        sample();
        fake.process(101, 100, 100, 50, 0, 0);
        sampleAfterOneSecond();
        fake.end(fake.proc.resolve("101"));
        fake.process(100, 1, 100, 5, 60, 0);

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, ofProcesses(0.65 * SECOND, 4 * SECOND));
    }

    @Test
    void whatNobodyWaitedForIsLostAndTheCountNeverGoesBack() throws IOException {
        sample();
        fake.process(101, 100, 100, 50, 0, 0);
        sampleAfterOneSecond();
        fake.end(fake.proc.resolve("101"));

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, ofProcesses(0.5 * SECOND, 4 * SECOND));
    }

    @Test
    void aProcessThatIsNewCountsAndOneWithAPastDoesNot() throws IOException {
        sample();
        fake.process(102, 100, 100, 30, 0, 0);
        fake.process(103, 100, 100, 1000, 0, 0);
        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, ofProcesses(0.3 * SECOND, 2 * SECOND));
        fake.process(103, 100, 100, 1010, 0, 0);

        assertThat(sampleAfterOneSecond()).containsEntry(Signal.CPU, ofProcesses(0.4 * SECOND, 4 * SECOND));
    }

    @Test
    void aPidThatWentToAnotherProcessIsNotTheContainers() throws IOException {
        sample();
        fake.end(fake.proc.resolve("101"));
        fake.recycled(100, 1000);
        nanos.addAndGet(SECOND);

        assertThat(source.snapshot(List.of(CONTAINER))).isEmpty();
    }

    @Test
    void firstSampleIsTheBaselineOnly() throws IOException {
        fake.process(100, 1, 100, 500, 500, 0);

        assertThat(sample()).containsEntry(Signal.CPU, ofProcesses(0, 0));
    }

    @Test
    void whatOnlyIntpdTellsNamesIt() throws IOException {
        Map<Signal, Count> counts = sample();

        assertThat(counts).containsOnlyKeys(Signal.values());
        counts.forEach((signal, count) -> {
            if (signal != Signal.CPU && signal != Signal.MEM) {
                assertThat(reason(counts, signal)).contains("intpd");
            }
        });
    }

    @Test
    void containerThatWasNeverVisibleIsNotIdle() throws IOException {
        Map<Signal, Count> counts =
                source.snapshot(List.of(new WatchedContainer(ID, 999))).get(ID);

        assertThat(counts).containsEntry(Signal.CPU, notCounted("no process of the container is visible in /proc"));
    }

    /** No window spans two launches: another epoch says so. */
    @Test
    void containerWhoseProcessesAreGoneIsNotIdleAndCountsOnWhenItIsLaunchedAgain() throws IOException {
        sample();
        fake.process(101, 100, 100, 50, 0, 0);
        sampleAfterOneSecond();
        fake.end(fake.proc.resolve("100"));
        fake.end(fake.proc.resolve("101"));
        nanos.addAndGet(SECOND);
        assertThat(source.snapshot(List.of(CONTAINER))).isEmpty();

        fake.process(200, 1, 200);
        Count.Counted again = cpuOf(new WatchedContainer(ID, 200));
        fake.process(200, 1, 200, 25, 0, 0);
        Count.Counted last = cpuOf(new WatchedContainer(ID, 200));

        assertThat(again.used()).isEqualTo(0.5 * SECOND);
        assertThat(again.epoch()).isPositive();
        assertThat(last.used()).isEqualTo(0.75 * SECOND);
        assertThat(last.capacity()).isEqualTo(4 * SECOND);
        assertThat(last.continues(again)).isTrue();
    }

    private Count.Counted cpuOf(WatchedContainer container) throws IOException {
        nanos.addAndGet(SECOND);
        return (Count.Counted) source.snapshot(List.of(container)).get(ID).get(Signal.CPU);
    }

    @Test
    void containerThatIsNoLongerWatchedIsForgotten() throws IOException {
        sample();

        assertThat(source.snapshot(List.of())).isEmpty();
    }

    @Test
    void sampleWithoutTimePassingAddsNothing() throws IOException {
        sample();
        fake.process(101, 100, 100, 50, 0, 0);

        assertThat(sample()).containsEntry(Signal.CPU, ofProcesses(0, 0));
    }

    @Test
    void failedSampleMakesTheNextOneABaseline() throws IOException {
        sample();
        Path cpus = fake.sys.resolve("devices/system/cpu/online");
        Files.delete(cpus);
        assertThatThrownBy(this::sampleAfterOneSecond).isInstanceOf(IOException.class);
        FakeProc.write(cpus, "0-1\n");
        fake.process(101, 100, 100, 50, 0, 0);

        Count.Counted next = cpuOf(CONTAINER);

        assertThat(next.used()).isZero();
        assertThat(next.continues(new Count.Counted(0, 0, false, "proc"))).isFalse();
    }

    @Test
    void bothProcessesOfTwoContainersStayApart() throws IOException {
        WatchedContainer other = new WatchedContainer("other", 200);
        fake.process(200, 1, 200);
        source.snapshot(List.of(CONTAINER, other));
        fake.process(200, 1, 200, 50, 0, 0);
        nanos.addAndGet(SECOND);

        Map<String, Map<Signal, Count>> counts = source.snapshot(List.of(CONTAINER, other));

        assertThat(counts.get(ID)).containsEntry(Signal.CPU, ofProcesses(0, 2 * SECOND));
        assertThat(counts.get("other")).containsEntry(Signal.CPU, ofProcesses(0.5 * SECOND, 2 * SECOND));
    }

    /** The group of both processes is YARN's. */
    private Path group(String cgroups, String mount) {
        FakeProc.write(
                fake.proc.resolve("self/mountinfo"),
                "41 31 0:38 / " + directory.resolve("cgroup") + " rw - " + mount + "\n");
        FakeProc.write(fake.proc.resolve("100/cgroup"), cgroups + "\n");
        Path group = directory.resolve("cgroup/yarn").resolve(ID);
        FakeProc.write(group.resolve("cgroup.procs"), "100\n101\n");
        return group;
    }

    private Map<Signal, Count> sample() throws IOException {
        return source.snapshot(List.of(CONTAINER)).get(ID);
    }

    private Map<Signal, Count> sampleAfterOneSecond() throws IOException {
        nanos.addAndGet(SECOND);
        return sample();
    }

    private static Count ofProcesses(double used, double capacity) {
        return new Count.Counted(used, capacity, false, ControlGroupCounterSource.PROC);
    }

    private static Count notCounted(String reason) {
        return new Count.NotCounted(reason, ControlGroupCounterSource.NAME);
    }

    private static String reason(Map<Signal, Count> counts, Signal signal) {
        return ((Count.NotCounted) counts.get(signal)).reason();
    }
}
