package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * CPU time so far, or between two moments.
 *
 * @param ticks of all CPUs, idle ones too
 * @param stolen of these, kept by the hypervisor
 * @param processSeconds of one process
 */
public record CpuTime(long ticks, long stolen, double processSeconds) {
    private static final double MILLIS = 1000;
    private static final int STOLEN = 7;
    /** What follows is guests' time, which the first two have in them. */
    private static final int COLUMNS = 8;

    /** Reads the time of the box and of process {@code process}; 0 for one that is no more. */
    public static CpuTime now(long process) throws IOException {
        Duration used = ProcessHandle.of(process)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
        return of(Files.readString(Path.of("/proc/stat")), used);
    }

    /** Reads the text of {@code /proc/stat}. */
    static CpuTime of(String stat, Duration process) {
        String[] fields = stat.substring(0, stat.indexOf('\n')).split(" +", -1);
        long[] columns = Arrays.stream(fields)
                .skip(1)
                .limit(COLUMNS)
                .mapToLong(Long::parseLong)
                .toArray();
        return new CpuTime(Arrays.stream(columns).sum(), columns[STOLEN], process.toMillis() / MILLIS);
    }

    public CpuTime since(CpuTime before) {
        return new CpuTime(ticks - before.ticks, stolen - before.stolen, processSeconds - before.processSeconds);
    }

    public double stolenPercent() {
        return ticks == 0 ? 0 : 100.0 * stolen / ticks;
    }
}
