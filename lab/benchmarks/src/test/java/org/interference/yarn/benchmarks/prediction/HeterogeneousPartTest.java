package org.interference.yarn.benchmarks.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeterogeneousPartTest {
    private static final List<String> KINDS = List.of("one", "two", "three");

    @TempDir
    private Path folder;

    /** Each task keeps one CPU busy, on a host of one and on a host of two. */
    @Test
    void aKindIsAskedAboutOnTheOtherHostByItsShareOfThat() throws IOException {
        host("small", 1, 50);
        host("large", 2, 100);

        ObjectNode results = new ObjectMapper().createObjectNode();
        HeterogeneousPart.measure(folder, results);

        assertThat(results.at("/heterogeneous/prior/unseen_tasks_asked").asInt())
                .isEqualTo(6);
        assertThat(results.at("/heterogeneous/prior/unseen_tasks").asDouble())
                .isCloseTo(prior(0.5) - 1, within(1e-3))
                .isLessThan(prior(1) - 1);
    }

    @Test
    void nothingIsMeasuredWithoutHosts() throws IOException {
        ObjectNode results = new ObjectMapper().createObjectNode();
        HeterogeneousPart.measure(folder.resolve("none"), results);

        assertThat(results).isEmpty();
    }

    /** Returns the slowdown of a task that uses this share of a host's CPUs beside another that does. */
    private static double prior(double share) {
        InterferenceVector task = new InterferenceVector(new EnumMap<>(Map.of(Signal.CPU, share)));
        return new PriorPredictor().predict(task, Neighbours.of(List.of(task))) instanceof Prediction.Slowdown known
                ? known.factor()
                : Double.NaN;
    }

    private void host(String name, int cpus, int ratePaired) throws IOException {
        Path host = Files.createDirectories(folder.resolve(name));
        Files.writeString(host.resolve("machine.json"), """
                {"started": "2026-01-01", "node": {"cpu_quota_us": %d, "cpu_period_us": 100000,
                 "read_bytes_per_s": 1000000, "network_bits_per_s": 1000000}}
                """.formatted(cpus * 100_000));
        StringBuilder table = new StringBuilder("run,repetition,set,kind,at_s,work_per_s,cpu\n");
        for (int i = 0; i < KINDS.size(); i++) {
            String kind = KINDS.get(i);
            table.append("%d,1,%s,%s,%d,100,%s\n".formatted(i, kind, kind, i, 1.0 / cpus));
            for (String other : KINDS) {
                if (!other.equals(kind)) {
                    table.append("9,1,%s+%s,%s,9,%d,%s\n".formatted(kind, other, kind, ratePaired, 0.5));
                }
            }
        }
        Files.writeString(host.resolve("corun.csv"), table);
    }
}
