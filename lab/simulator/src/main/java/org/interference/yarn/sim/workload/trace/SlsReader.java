package org.interference.yarn.sim.workload.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads the jobs of Hadoop's Scheduler Load Simulator, as its {@code AMDefinitionSLS} and {@code TaskContainerDefinition} of 3.4 do: a
 * task's duration is {@code container.duration.ms}, else {@code duration.ms}, else its end less its start; {@code count} and {@code
 * job.count} repeat. Priorities, hosts, resources and delays are left out. There are no names, so that jobs of one user, queue and type of
 * ApplicationMaster are runs of one application; and no counters.
 */
final class SlsReader {
    private static final ObjectReader READER = new ObjectMapper().readerFor(JsonNode.class);
    /** Of a file. */
    private static final long MOST_TASKS = 10_000_000;
    /** A hundred years, in ms. */
    private static final long LATEST = 100L * 366 * 24 * 3600 * 1000;

    private final String file;
    private final List<TracedJob> jobs = new ArrayList<>();
    private int entries;
    private long tasks;

    private SlsReader(String file) {
        this.file = file;
    }

    static List<TracedJob> read(InputStream in, String file) throws IOException, TraceException {
        SlsReader sls = new SlsReader(file);
        try (MappingIterator<JsonNode> reader = READER.readValues(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            while (reader.hasNextValue()) {
                sls.add(reader.nextValue());
            }
        } catch (JsonProcessingException e) {
            long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            String reason = e.getOriginalMessage().lines().findFirst().orElse("");
            throw new TraceException(file, line, "is not a trace of SLS (%s)".formatted(reason), e);
        }
        return sls.jobs;
    }

    private void add(JsonNode entry) throws TraceException {
        entries++;
        if (entry.has("workloads")) {
            throw new TraceException(
                    file,
                    "is SLS's synthetic workload, which says how jobs are to be drawn and is not read; SLS's own traces are, and Rumen's");
        }
        if (entry.has("num.nodes") || entry.has("num.racks")) {
            return;
        }
        JsonNode all = entry.path("job.tasks");
        if (!all.isArray() || all.isEmpty()) {
            throw new TraceException(
                    file, "entry %d has no job.tasks, which a job of SLS must have".formatted(entries));
        }
        String application = "%s-%s-%s"
                .formatted(
                        entry.path("am.type").asText("mapreduce"),
                        entry.path("job.user").asText("default"),
                        entry.path("job.queue.name").asText("default"));
        List<TracedTask> traced = new ArrayList<>();
        long times = Math.max(1, number(entry, "job.count", 1, MOST_TASKS));
        for (int i = 0; i < all.size(); i++) {
            long count = Math.max(1, number(all.get(i), "count", 1, MOST_TASKS));
            tasks += times * count;
            if (tasks > MOST_TASKS) {
                throw new TraceException(
                        file, "has more than %d tasks by entry %d; it can have no more".formatted(MOST_TASKS, entries));
            }
            traced.addAll(Collections.nCopies((int) count, task(all.get(i), i + 1, application)));
        }
        long start = number(entry, "job.start.ms", 0, LATEST);
        String queue = entry.path("job.queue.name").asText("default");
        jobs.addAll(Collections.nCopies((int) times, new TracedJob(application, queue, start, traced)));
    }

    private TracedTask task(JsonNode task, int number, String application) throws TraceException {
        long sinceStart = number(task, "container.end.ms", 0, LATEST) - number(task, "container.start.ms", 0, LATEST);
        long duration = number(task, "container.duration.ms", number(task, "duration.ms", sinceStart, LATEST), LATEST);
        if (duration <= 0) {
            throw new TraceException(
                    file,
                    "entry %d, task %d must have container.duration.ms above 0, or container.start.ms and a later container.end.ms"
                            .formatted(entries, number));
        }
        return TracedTask.uncounted(
                Duration.ofMillis(duration),
                new TracedTask.Alike(application, task.path("container.type").asText("map")));
    }

    /** Returns a whole number, which may be written as a text as SLS takes it; {@code otherwise} if it is not there. */
    private long number(JsonNode object, String key, long otherwise, long most) throws TraceException {
        JsonNode value = object.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        String text = value.asText();
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) > most) {
            throw new TraceException(
                    file, "entry %d: %s must be a whole number from 0 to %d".formatted(entries, key, most));
        }
        return Long.parseLong(text);
    }
}
