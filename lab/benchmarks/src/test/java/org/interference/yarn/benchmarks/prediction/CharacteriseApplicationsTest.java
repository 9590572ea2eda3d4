package org.interference.yarn.benchmarks.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class CharacteriseApplicationsTest {
    @Test
    void applicationIsWhatThoseOfItsTasksPressOnThatRanLongest() {
        List<TaskProfile> profiles = List.of(
                // Its master computes, its 40 short tasks read, and its two long ones write.
                profile("ifc:ann/join/am", 2, 100, 0.9, 0),
                profile("ifc:ann/join/map", 40, 1, 0.1, 0.2),
                profile("ifc:ann/join/reduce", 2, 50, 0.1, 0.8),
                profile("ifc:ann/pi/map", 8, 10, 0.9, 0),
                profile("ifc:ann/prepare-pi/map", 800, 10, 0, 0.9),
                profile("ifc:ann/scan/map", 8, 10, 0.15, 0.75));

        JsonNode found = CharacteriseApplications.of(profiles, 2, List.of("join", "pi", "scan", "absent"))
                .orElseThrow();

        JsonNode applications = found.get("by_application");
        assertThat(found.get("applications").asInt()).isEqualTo(3);
        assertThat(applications.at("/join/blk").asDouble()).isEqualTo(0.8);
        assertThat(applications.at("/join/cluster")).isEqualTo(applications.at("/scan/cluster"));
        assertThat(applications.at("/join/cluster")).isNotEqualTo(applications.at("/pi/cluster"));
        assertThat(found.get("merges")).hasSize(2);
    }

    /** In client mode YARN takes a Spark job whose driver failed for one that succeeded, and its executors have a profile. */
    @Test
    void onlyThoseCountThatSucceededAtTheScale() throws IOException {
        JsonNode document = new ObjectMapper().readTree("""
                {"results": {"by_workload": {
                    "join": {"tiny": {"succeeded": 0}, "small": {"succeeded": 1}},
                    "scan": {"tiny": {"succeeded": 1}, "small": {"succeeded": 0}}}}}""");

        assertThat(CharacteriseApplications.succeeded(document, "small", List.of("join", "scan", "absent")))
                .containsExactly("join");
    }

    @Test
    void ofTwoNothingIsSaid() {
        List<TaskProfile> profiles =
                List.of(profile("ifc:ann/a/map", 1, 1, 0.1, 0.2), profile("ifc:ann/b/map", 1, 1, 0.3, 0.2));

        assertThat(CharacteriseApplications.of(profiles, 2, List.of("a", "b"))).isEmpty();
    }

    private static TaskProfile profile(String key, int tasks, double seconds, double cpu, double blk) {
        return new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, key),
                tasks,
                Map.of(Signal.CPU, Averages.constant(tasks, cpu), Signal.BLK, Averages.constant(tasks, blk)),
                Averages.constant(tasks, seconds),
                Instant.EPOCH);
    }
}
