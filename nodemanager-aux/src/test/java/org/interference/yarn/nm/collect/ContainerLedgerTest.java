package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerLedgerTest {
    private static final long SECOND = 1_000_000_000;

    private final ContainerLedger ledger = new ContainerLedger();

    @Test
    void firstSampleIsTheBaselineOnly() {
        assertThat(ledger.add(List.of(process(1, 7, Map.of(1L, thread(5000, 100)))), SECOND))
                .isEmpty();
    }

    @Test
    void growthIsSummedOverThreadsAndProcesses() {
        add(process(1, 7, Map.of(1L, thread(100, 10), 2L, thread(200, 20))), process(3, 8, Map.of(3L, thread(5, 5))));

        Growth growth = add(
                process(1, 7, Map.of(1L, thread(150, 11), 2L, thread(260, 22))),
                process(3, 8, Map.of(3L, thread(6, 9))));

        assertThat(growth.onCpuNanos()).isEqualTo(50 + 60 + 1);
        assertThat(growth.waitNanos()).isEqualTo(1 + 2 + 4);
    }

    @Test
    void threadAndProcessThatAreNewCountFromZero() {
        add(process(1, 7, Map.of(1L, thread(100, 10))));

        Growth growth = add(
                process(1, 7, Map.of(1L, thread(100, 10), 2L, thread(30, 3))),
                process(5, 9, Map.of(5L, thread(40, 4))));

        assertThat(growth.onCpuNanos()).isEqualTo(70);
        assertThat(growth.waitNanos()).isEqualTo(7);
    }

    @Test
    void threadOlderThanTheWindowJoinsWithoutItsPast() {
        add(process(1, 7, Map.of(1L, thread(100, 10))));

        Growth growth =
                add(process(1, 7, Map.of(1L, thread(100, 10))), process(5, 9, Map.of(5L, thread(2 * SECOND, 4))));

        assertThat(growth.onCpuNanos()).isZero();
    }

    @Test
    void endOfAThreadTakesNothingBack() {
        add(process(1, 7, Map.of(1L, thread(100, 10), 2L, thread(900, 90))));

        assertThat(add(process(1, 7, Map.of(1L, thread(101, 10)))).onCpuNanos()).isEqualTo(1);
    }

    @Test
    void reusedThreadIdIsLeftOutForOneWindow() {
        add(process(1, 7, Map.of(1L, thread(100, 10))));

        assertThat(add(process(1, 7, Map.of(1L, thread(40, 20)))).onCpuNanos()).isZero();
        assertThat(add(process(1, 7, Map.of(1L, thread(45, 20)))).onCpuNanos()).isEqualTo(5);
    }

    @Test
    void reusedPidIsANewProcess() {
        add(process(1, 7, Map.of(1L, thread(100, 10))));

        assertThat(add(process(1, 8, Map.of(1L, thread(130, 20)))).onCpuNanos()).isEqualTo(130);
    }

    @Test
    void moreBlockDelayThanTheThreadsHadTimeForIsGarbage() {
        add(process(1, 7, Map.of(1L, blocked(0))));

        assertThat(add(process(1, 7, Map.of(1L, blocked(1368 * SECOND)))).blockDelayNanos())
                .isEmpty();
        assertThat(add(process(1, 7, Map.of(1L, blocked(1368 * SECOND + 5)))).blockDelayNanos())
                .hasValue(5);
    }

    @Test
    void blockDelayBeginsWithTheSecondSampleThatHasIt() {
        add(process(1, 7, Map.of(1L, thread(0, 0))));

        assertThat(add(process(1, 7, Map.of(1L, blocked(50)))).blockDelayNanos())
                .isEmpty();
        assertThat(add(process(1, 7, Map.of(1L, blocked(80)))).blockDelayNanos())
                .hasValue(30);
    }

    @Test
    void truncatingWhatAnotherOneWroteIsNotWriting() {
        add(writer(1, 100), writer(2, 0));

        assertThat(add(writer(1, 100), writer(2, -40)).writtenBytes()).isZero();
        assertThat(add(writer(1, 160), writer(2, -60)).writtenBytes()).isEqualTo(40);
    }

    @Test
    void ioThatBecomesReadableIsABaseline() {
        add(process(1, 7, Map.of()));

        assertThat(add(writer(1, 100)).writtenBytes()).isZero();
        assertThat(add(writer(1, 101)).writtenBytes()).isEqualTo(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingEverShrinks(long seed) {
        Random random = new Random(seed);
        for (int tick = 0; tick < 50; tick++) {
            List<ProcessSample> processes = new ArrayList<>();
            for (long pid = 0; pid < random.nextInt(4); pid++) {
                Map<Long, ThreadCounts> threads = new HashMap<>();
                for (long tid = 0; tid < random.nextInt(5); tid++) {
                    threads.put(
                            tid,
                            new ThreadCounts(
                                    random.nextInt(1000), random.nextInt(1000), OptionalLong.of(random.nextInt(1000))));
                }
                processes.add(new ProcessSample(
                        pid,
                        random.nextInt(2),
                        threads,
                        Optional.of(new IoCounts(random.nextInt(100), random.nextInt(200) - 100))));
            }

            Growth growth = ledger.add(processes, 100).orElse(new Growth(0, 0, OptionalLong.empty(), 0, 0));

            assertThat(growth.onCpuNanos()).isNotNegative();
            assertThat(growth.waitNanos()).isNotNegative();
            assertThat(growth.readBytes()).isNotNegative();
            assertThat(growth.writtenBytes()).isNotNegative();
            assertThat(growth.blockDelayNanos().orElse(0)).isNotNegative();
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private Growth add(ProcessSample... processes) {
        return ledger.add(List.of(processes), SECOND).orElse(new Growth(0, 0, OptionalLong.empty(), 0, 0));
    }

    private static ProcessSample process(long pid, long start, Map<Long, ThreadCounts> threads) {
        return new ProcessSample(pid, start, threads, Optional.empty());
    }

    private static ProcessSample writer(long pid, long writtenBytes) {
        return new ProcessSample(pid, 7, Map.of(), Optional.of(new IoCounts(0, writtenBytes)));
    }

    private static ThreadCounts thread(long onCpu, long wait) {
        return new ThreadCounts(onCpu, wait, OptionalLong.empty());
    }

    private static ThreadCounts blocked(long delay) {
        return new ThreadCounts(0, 0, OptionalLong.of(delay));
    }
}
