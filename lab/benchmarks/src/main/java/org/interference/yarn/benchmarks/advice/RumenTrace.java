package org.interference.yarn.benchmarks.advice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads a job trace of Hadoop's Rumen, from Hadoop 2 on. */
final class RumenTrace {
    private static final double BYTES_OF_A_MB = 1 << 20;
    private static final double BYTES_OF_A_KB = 1 << 10;

    private RumenTrace() {}

    /** Returns the maps and reduces that succeeded and of which memory is known; a kind is a job's name and what its tasks do. */
    static List<TaskUse> read(Path file) throws IOException {
        List<TaskUse> tasks = new ArrayList<>();
        try (MappingIterator<JsonNode> jobs =
                new ObjectMapper().readerFor(JsonNode.class).readValues(file.toFile())) {
            while (jobs.hasNextValue()) {
                JsonNode job = jobs.nextValue();
                add(job, "mapTasks", "map", tasks);
                add(job, "reduceTasks", "reduce", tasks);
            }
        }
        return tasks;
    }

    private static void add(JsonNode job, String field, String role, List<TaskUse> tasks) {
        double requested = job.path("jobProperties")
                        .path("mapreduce.%s.memory.mb".formatted(role))
                        .asDouble()
                * BYTES_OF_A_MB;
        String kind = "%s/%s".formatted(job.path("jobName").asText().toLowerCase(Locale.ROOT), role);
        for (JsonNode task : job.path(field)) {
            for (JsonNode attempt : task.path("attempts")) {
                double peak = peak(attempt);
                if (attempt.path("result").asText().equals("SUCCESS") && peak > 0 && requested > 0) {
                    tasks.add(task(kind, requested, peak, attempt));
                }
            }
        }
    }

    private static TaskUse task(String kind, double requested, double peak, JsonNode attempt) {
        long started = attempt.path("startTime").asLong();
        long finished = attempt.path("finishTime").asLong();
        double cpu =
                attempt.path("resourceUsageMetrics").path("cumulativeCpuUsage").asDouble();
        return new TaskUse(
                kind,
                requested,
                1,
                cpu / Math.max(1, finished - started),
                peak,
                Instant.ofEpochMilli(started),
                Instant.ofEpochMilli(finished));
    }

    /** Of the counter at the end, and the samples on the way. */
    private static double peak(JsonNode attempt) {
        double peak =
                attempt.path("resourceUsageMetrics").path("physicalMemoryUsage").asDouble();
        for (JsonNode kilobytes : attempt.path("physMemKbytes")) {
            peak = Math.max(peak, kilobytes.asDouble() * BYTES_OF_A_KB);
        }
        return peak;
    }
}
