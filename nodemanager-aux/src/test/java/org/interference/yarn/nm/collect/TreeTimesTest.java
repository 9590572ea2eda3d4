package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.nm.attribute.ProcessEntry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TreeTimesTest {
    private static final long ROOT = 1;

    /** A tree in which processes begin, work and end, as the kernel accounts for them. */
    private static final class Tree {
        private final Map<Long, long[]> running = new HashMap<>();
        private final Random random;
        private long nextPid = ROOT + 1;
        private long used;

        Tree(long seed) {
            random = new Random(seed);
            running.put(ROOT, new long[] {0, 0});
        }

        void live(boolean waits) {
            List<Long> pids = new ArrayList<>(running.keySet());
            long pid = pids.get(random.nextInt(pids.size()));
            switch (random.nextInt(3)) {
                case 0 -> running.put(nextPid++, new long[] {0, 0});
                case 1 -> {
                    long ticks = random.nextInt(3);
                    running.get(pid)[0] += ticks;
                    used += ticks;
                }
                default -> end(pid, waits);
            }
        }

        private void end(long pid, boolean waits) {
            if (pid != ROOT) {
                long[] times = running.remove(pid);
                if (waits) {
                    running.get(ROOT)[1] += times[0] + times[1];
                }
            }
        }

        List<ProcessEntry> look() {
            return running.entrySet().stream()
                    .map(process -> new ProcessEntry(
                            process.getKey(), 0, 1, process.getKey(), process.getValue()[0], process.getValue()[1], 0))
                    .toList();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whereAllAreWaitedForNothingIsLostOrCountedTwice(long seed) {
        Tree tree = new Tree(seed);
        TreeTimes times = new TreeTimes();
        times.add(tree.look(), Long.MAX_VALUE / 2);
        for (int look = 0; look < 20; look++) {
            for (int step = 0; step < 10; step++) {
                tree.live(true);
            }

            assertThat(times.add(tree.look(), Long.MAX_VALUE / 2)).isEqualTo(tree.used);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whereNobodyWaitsTheCountGrowsAndIsNeverTooHigh(long seed) {
        Tree tree = new Tree(seed);
        TreeTimes times = new TreeTimes();
        long last = times.add(tree.look(), Long.MAX_VALUE / 2);
        for (int look = 0; look < 20; look++) {
            for (int step = 0; step < 10; step++) {
                tree.live(step % 2 == 0);
            }
            long now = times.add(tree.look(), Long.MAX_VALUE / 2);

            assertThat(now).isBetween(last, tree.used);
            last = now;
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }
}
