package org.interference.yarn.sim.workload.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.interference.yarn.sim.workload.RunLengthList;

/**
 * Reads SWIM's lines. They have sizes but neither tasks nor times, so these are made of the sizes:
 *
 * <ul>
 *   <li>maps: one per {@link #BLOCK} of what they read or write, whichever is more, and at least one; they write what is
 *       shuffled, or, if nothing is, the output;
 *   <li>reduces: one per {@link #REDUCED} of what they fetch or write, whichever is more; none if nothing is shuffled;
 *   <li>a task takes {@link #START} and then {@link #CPU_SECONDS_PER_BYTE} for each byte it moves, all of it on one core.
 * </ul>
 *
 * <p>The figures are those of the MapReduce histories beside the tests: a map of the Sleep job takes 3.5 s of which 0.3 s on
 * a CPU, one of the Rumen trace 14.3 s of CPU for 417 MB. As SWIM has no names, jobs whose three sizes are of the same
 * orders of magnitude count as runs of one application, and each application has a queue of its own.
 */
final class SwimReader {
    static final long BLOCK = 128L << 20;
    static final long REDUCED = 1L << 30;
    static final Duration START = Duration.ofMillis(3500);
    static final double START_CPU_SECONDS = 0.3;
    static final double CPU_SECONDS_PER_BYTE = 14.3 / 416_666_700;

    /** Of a job. Such a job moves 100 PiB: its number is damaged. */
    static final int MOST_TASKS = 1_000_000_000;

    private static final int FIELDS = 6;
    /** A hundred years: no submission is later. */
    private static final long LATEST_SECONDS = 100L * 366 * 24 * 3600;

    private final String file;
    private long line;

    private SwimReader(String file) {
        this.file = file;
    }

    static List<TracedJob> read(InputStream in, String file) throws IOException, TraceException {
        return new SwimReader(file).read(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
    }

    private List<TracedJob> read(BufferedReader reader) throws IOException, TraceException {
        List<TracedJob> jobs = new ArrayList<>();
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            line++;
            if (!text.isBlank()) {
                jobs.add(job(text));
            }
        }
        return jobs;
    }

    private TracedJob job(String text) throws TraceException {
        String[] fields = text.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new TraceException(
                    file,
                    line,
                    ("has %d fields between tabs but must have 6: job, submitted s, gap s, input bytes, shuffle bytes,"
                                    + " output bytes")
                            .formatted(fields.length));
        }
        long submitted = number("submitted", fields[1], LATEST_SECONDS);
        long input = number("input bytes", fields[3], Long.MAX_VALUE / 4);
        long shuffle = number("shuffle bytes", fields[4], Long.MAX_VALUE / 4);
        long output = number("output bytes", fields[5], Long.MAX_VALUE / 4);
        String application = "swim-i%d-s%d-o%d".formatted(magnitude(input), magnitude(shuffle), magnitude(output));
        return new TracedJob(application, application, submitted * 1000, tasks(input, shuffle, output));
    }

    private List<TracedTask> tasks(long input, long shuffle, long output) throws TraceException {
        long mapOutput = shuffle > 0 ? shuffle : output;
        long maps = Math.max(1, ceilDiv(Math.max(input, mapOutput), BLOCK));
        long reduces = shuffle > 0 ? ceilDiv(Math.max(shuffle, output), REDUCED) : 0;
        if (maps + reduces > MOST_TASKS) {
            throw new TraceException(
                    file, line, "makes %d tasks; a job can have at most %d".formatted(maps + reduces, MOST_TASKS));
        }
        long replicated = shuffle > 0 ? 0 : output / maps;
        TracedTask map = task(input / maps + mapOutput / maps, replicated);
        if (reduces == 0) {
            return RunLengthList.of(map, (int) maps, map, 0);
        }
        // A shuffled byte comes over the network, and is merged on the disk.
        TracedTask reduce = task((shuffle + output) / reduces, (shuffle + output) / reduces);
        return RunLengthList.of(map, (int) maps, reduce, (int) reduces);
    }

    private static TracedTask task(long diskBytes, long networkBytes) {
        double working = diskBytes * CPU_SECONDS_PER_BYTE;
        return new TracedTask(
                START.plusMillis(Math.round(working * 1000)),
                OptionalDouble.of(START_CPU_SECONDS + working),
                diskBytes,
                networkBytes);
    }

    private long number(String what, String field, long most) throws TraceException {
        try {
            long value = Long.parseLong(field.strip());
            if (value >= 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new TraceException(file, line, refusal(what, field, most), e);
        }
        throw new TraceException(file, line, refusal(what, field, most));
    }

    private static String refusal(String what, String field, long most) {
        String shown = field.length() > 40 ? field.substring(0, 40) + "..." : field;
        return "%s is '%s' but must be a whole number from 0 to %d".formatted(what, shown, most);
    }

    private static long ceilDiv(long bytes, long unit) {
        return bytes / unit + (bytes % unit == 0 ? 0 : 1);
    }

    /** Returns how many decimal digits {@code bytes} has; 0 for 0. */
    private static int magnitude(long bytes) {
        return bytes == 0 ? 0 : Long.toString(bytes).length();
    }
}
