package org.interference.yarn.sim.workload.trace;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.jobhistory.EventReader;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.JobInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;

/** Reads a MapReduce job history, by Hadoop's own parser. Each task is its first attempt that succeeded. */
final class JhistReader {
    /** The version, and the schema. */
    private static final int HEADER_LINES = 2;

    private static final int LONGEST_REASON = 120;

    private JhistReader() {}

    static List<TracedJob> read(InputStream in, String file) throws IOException, TraceException {
        byte[] bytes = in.readAllBytes();
        long[] lines = eventLines(bytes);
        CountingParser parser = new CountingParser();
        JobInfo job;
        try (EventReader events = open(bytes, file)) {
            job = parser.parse(events);
        } catch (IOException | RuntimeException e) {
            throw damaged(file, lines, parser.events, e);
        }
        if (parser.getParseException() != null) {
            throw damaged(file, lines, parser.events, parser.getParseException());
        }
        if (parser.events < lines.length) {
            throw new TraceException(file, lines[parser.events], "ends within an event; the history is not complete");
        }
        if (job.getJobId() == null || job.getSubmitTime() < 0) {
            throw new TraceException(file, "has no event of type JOB_SUBMITTED");
        }
        return List.of(new TracedJob(job.getJobname(), job.getJobQueueName(), job.getSubmitTime(), tasks(job)));
    }

    private static EventReader open(byte[] bytes, String file) throws TraceException {
        try {
            return new EventReader(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException | RuntimeException e) {
            throw new TraceException(file, 1, "does not begin as a MapReduce job history (%s)".formatted(brief(e)), e);
        }
    }

    private static TraceException damaged(String file, long[] lines, int events, Exception cause) {
        long line = events < lines.length ? lines[events] : HEADER_LINES;
        return new TraceException(
                file, line, "is not an event of a MapReduce job history (%s)".formatted(brief(cause)), cause);
    }

    private static String brief(Exception cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String first = reason.lines().findFirst().orElse("");
        return first.length() > LONGEST_REASON ? first.substring(0, LONGEST_REASON) + "..." : first;
    }

    /** Returns the number, from 1, of every line that holds an event: one a line, with blank lines between. */
    private static long[] eventLines(byte[] bytes) {
        List<String> lines =
                new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
        return LongStream.range(HEADER_LINES, lines.size())
                .filter(line -> !lines.get((int) line).isBlank())
                .map(line -> line + 1)
                .toArray();
    }

    private static List<TracedTask> tasks(JobInfo job) {
        return job.getAllTasks().values().stream()
                .filter(task -> task.getTaskType() == TaskType.MAP || task.getTaskType() == TaskType.REDUCE)
                .sorted(Comparator.comparing(TaskInfo::getTaskId))
                .flatMap(JhistReader::succeeded)
                .toList();
    }

    private static Stream<TracedTask> succeeded(TaskInfo task) {
        return task.getAllTaskAttempts().values().stream()
                .filter(attempt -> "SUCCEEDED".equals(attempt.getTaskStatus()))
                .filter(attempt -> attempt.getStartTime() > 0 && attempt.getFinishTime() > attempt.getStartTime())
                .min(Comparator.comparing(TaskAttemptInfo::getAttemptId))
                .map(JhistReader::task)
                .stream();
    }

    private static TracedTask task(TaskAttemptInfo attempt) {
        Counters counters = attempt.getCounters() == null ? new Counters() : attempt.getCounters();
        long cpuMs = counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue();
        return new TracedTask(
                Duration.ofMillis(attempt.getFinishTime() - attempt.getStartTime()),
                cpuMs > 0 ? OptionalDouble.of(cpuMs / 1000.0) : OptionalDouble.empty(),
                moved(counters, "", "_BYTES_READ") + moved(counters, "", "_BYTES_WRITTEN"),
                moved(counters, "HDFS", "_BYTES_WRITTEN")
                        + Math.max(
                                0,
                                counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES)
                                        .getValue()));
    }

    /** Returns what was moved on the file systems whose scheme begins with {@code scheme}. */
    private static long moved(Counters counters, String scheme, String direction) {
        return StreamSupport.stream(
                        counters.getGroup(FileSystemCounter.class.getName()).spliterator(), false)
                .filter(counter -> counter.getName().startsWith(scheme)
                        && counter.getName().endsWith(direction))
                .mapToLong(counter -> Math.max(0, counter.getValue()))
                .sum();
    }

    /** Knows how many events were taken, and so which line the next one is on. */
    private static final class CountingParser extends JobHistoryParser {
        private int events;

        CountingParser() {
            super(new FSDataInputStream(new Nothing()));
        }

        @Override
        public void handleEvent(HistoryEvent event) {
            super.handleEvent(event);
            events++;
        }
    }

    /** What the parser closes in the end; it reads the events that it is given. */
    private static final class Nothing extends FSInputStream {
        @Override
        public int read() {
            return -1;
        }

        @Override
        public void seek(long position) {}

        @Override
        public long getPos() {
            return 0;
        }

        @Override
        public boolean seekToNewSource(long target) {
            return false;
        }
    }
}
