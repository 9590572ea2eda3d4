package org.interference.yarn.sim.workload.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.tools.rumen.LoggedJob;
import org.apache.hadoop.tools.rumen.LoggedTask;
import org.apache.hadoop.tools.rumen.LoggedTaskAttempt;
import org.apache.hadoop.tools.rumen.Pre21JobHistoryConstants.Values;
import org.apache.hadoop.tools.rumen.ResourceUsageMetrics;

/**
 * Reads the job trace of Hadoop's Rumen into Rumen's own classes. Rumen's reader is not used: it takes a damaged job for the end of
 * the trace. Each task is its first attempt that succeeded.
 */
final class RumenReader {
    private static final ObjectReader READER = new ObjectMapper().readerFor(LoggedJob.class);

    private RumenReader() {}

    static List<TracedJob> read(InputStream in, String file) throws IOException, TraceException {
        List<TracedJob> jobs = new ArrayList<>();
        try (MappingIterator<LoggedJob> reader = READER.readValues(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            while (reader.hasNextValue()) {
                jobs.add(job(reader.nextValue(), file, jobs.size() + 1));
            }
        } catch (JsonProcessingException e) {
            long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new TraceException(
                    file, line, "is not a Rumen job trace (%s)".formatted(firstLine(e.getOriginalMessage())), e);
        } catch (RuntimeException e) {
            throw new TraceException(
                    file, "job %d is damaged (%s)".formatted(jobs.size() + 1, firstLine(e.toString())), e);
        }
        return jobs;
    }

    private static TracedJob job(LoggedJob job, String file, int number) throws TraceException {
        if (job.getSubmitTime() < 0 && job.getJobID() == null) {
            throw new TraceException(
                    file,
                    "job %d has neither jobID nor submitTime: it is not Rumen's. --format sls reads SLS's own traces"
                            .formatted(number));
        }
        if (job.getSubmitTime() < 0) {
            throw new TraceException(file, "job %d (%s) has no submitTime".formatted(number, job.getJobID()));
        }
        List<TracedTask> tasks = Stream.concat(job.getMapTasks().stream(), job.getReduceTasks().stream())
                .flatMap(RumenReader::succeeded)
                .toList();
        return new TracedJob(name(job), queue(job), job.getSubmitTime(), tasks);
    }

    private static Stream<TracedTask> succeeded(LoggedTask task) {
        return task.getAttempts().stream()
                .filter(attempt -> attempt.getResult() == Values.SUCCESS || attempt.getResult() == Values.SUCCEEDED)
                .filter(attempt -> attempt.getStartTime() > 0 && attempt.getFinishTime() > attempt.getStartTime())
                .limit(1)
                .map(RumenReader::task);
    }

    private static TracedTask task(LoggedTaskAttempt attempt) {
        long written = known(attempt.getHdfsBytesWritten());
        return new TracedTask(
                Duration.ofMillis(attempt.getFinishTime() - attempt.getStartTime()),
                cpuSeconds(attempt.getResourceUsageMetrics()),
                known(attempt.getHdfsBytesRead())
                        + written
                        + known(attempt.getFileBytesRead())
                        + known(attempt.getFileBytesWritten()),
                written + known(attempt.getReduceShuffleBytes()));
    }

    private static OptionalDouble cpuSeconds(ResourceUsageMetrics metrics) {
        return metrics == null || metrics.getCumulativeCpuUsage() <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(metrics.getCumulativeCpuUsage() / 1000.0);
    }

    /** Rumen writes -1 for a counter that the history does not have. */
    private static long known(long bytes) {
        return Math.max(0, bytes);
    }

    private static String name(LoggedJob job) {
        return job.getJobName() == null || job.getJobName().getValue() == null
                ? String.valueOf(job.getJobID())
                : job.getJobName().getValue();
    }

    private static String queue(LoggedJob job) {
        return job.getQueue() == null || job.getQueue().getValue() == null
                ? "default"
                : job.getQueue().getValue();
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }
}
