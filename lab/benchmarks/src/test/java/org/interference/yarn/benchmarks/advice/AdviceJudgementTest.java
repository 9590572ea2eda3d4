package org.interference.yarn.benchmarks.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.benchmarks.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviceJudgementTest {
    private static final double GIB = 1 << 30;

    @TempDir
    private Path folder;

    /** Half of 4 GiB is saved for those that start later, as 1 GiB and a fifth is 2 GiB in steps of 1 GiB; one of fifty does not fit. */
    @Test
    void adviceIsJudgedByWhatStartsLater() {
        List<TaskUse> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            tasks.add(task(i, i == 90 ? 3 * GIB : GIB));
        }

        ObjectNode results = judged(tasks);

        assertEquals(50, results.path("tasks_judged").asInt());
        assertEquals(50, results.path("tasks_advised").asInt());
        assertEquals((0.5 * 49 - 0.5) / 50, results.path("memory_saved").asDouble(), 1e-3);
        assertEquals(0.02, results.path("failures_added").asDouble(), 1e-9);
    }

    @Test
    void nothingIsLearntFromWhatHasNotFinished() {
        List<TaskUse> tasks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            tasks.add(
                    new TaskUse("map", 4 * GIB, 1, 1, GIB, Instant.ofEpochSecond(i), Instant.ofEpochSecond(i + 1000)));
        }

        ObjectNode results = judged(tasks);

        assertEquals(0, results.path("tasks_advised").asInt());
        assertEquals(0, results.path("memory_saved").asDouble(), 1e-9);
    }

    @Test
    void tracesAreReadWithQuotesAndWithoutWhatIsNotKnown() throws IOException {
        Path file = folder.resolve("trace_x.csv");
        Files.writeString(file, """
                process,tag,status,memory,cpus,%cpu,peak_rss,start,complete
                A:B,"x, y",COMPLETED,4294967296,2,150.5,1073741824,1000,11000
                A:B,z,FAILED,4294967296,2,150.5,1073741824,1000,11000
                A:B,z,COMPLETED,-,2,150.5,1073741824,1000,11000
                """);

        List<TaskUse> tasks = NextflowTrace.read(file);

        assertEquals(
                List.of(new TaskUse(
                        "A:B", 4 * GIB, 2, 1.505, GIB, Instant.ofEpochSecond(1), Instant.ofEpochSecond(11))),
                tasks);
    }

    @Test
    void peakOfATaskOfHadoopIsTheHighestOfItsSamples() throws IOException {
        Path file = folder.resolve("rumen.json");
        Files.writeString(file, """
                {"jobName": "TeraGen", "jobProperties": {"mapreduce.map.memory.mb": "1024"}, "mapTasks": [{"attempts": [
                  {"result": "KILLED", "startTime": 1000, "finishTime": 2000, "physMemKbytes": [1]},
                  {"result": "SUCCESS", "startTime": 1000, "finishTime": 11000, "physMemKbytes": [1024, 4096],
                   "resourceUsageMetrics": {"cumulativeCpuUsage": 5000, "physicalMemoryUsage": 2097152}}]}]}
                """);

        assertEquals(
                List.of(new TaskUse(
                        "teragen/map", GIB, 1, 0.5, 4 << 20, Instant.ofEpochSecond(1), Instant.ofEpochSecond(11))),
                RumenTrace.read(file));
    }

    private static TaskUse task(int second, double peak) {
        return new TaskUse(
                "map", 4 * GIB, 1, 1, peak, Instant.ofEpochSecond(second), Instant.ofEpochSecond(second + 1));
    }

    private static ObjectNode judged(List<TaskUse> tasks) {
        ObjectNode json = new ObjectMapper().createObjectNode();
        AdviceJudgement judgement = new AdviceJudgement(1024);
        judgement.judge(tasks);
        judgement.put(new Results(json));
        return json;
    }
}
