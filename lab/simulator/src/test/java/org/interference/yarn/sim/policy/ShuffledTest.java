package org.interference.yarn.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShuffledTest {
    private static final List<String> KINDS = List.of("read", "write", "compute", "pause", "transfer");

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /** Else the placebo knows something. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noKindHasItsOwnSignalsAndEachHasThoseOfOneOther(long seed) {
        List<TaskProfile> profiles = new ArrayList<>();
        for (String kind : KINDS) {
            for (String queue : List.of("a", "b")) {
                profiles.add(profile(kind, queue));
            }
        }

        Map<TaskKey, TaskProfile> shuffled =
                Shuffled.of(profiles, seed).stream().collect(Collectors.toMap(TaskProfile::key, Function.identity()));

        assertThat(shuffled).hasSameSizeAs(profiles);
        assertThat(profiles).allSatisfy(own -> {
            TaskProfile now = shuffled.get(own.key());
            assertThat(now.signals()).isNotEqualTo(own.signals());
            assertThat(now.runTimeSeconds()).isEqualTo(own.runTimeSeconds());
        });
        for (String kind : KINDS) {
            assertThat(shuffled.get(key(kind, "a")).signals())
                    .isEqualTo(shuffled.get(key(kind, "b")).signals());
        }
        assertThat(shuffled.values())
                .extracting(TaskProfile::signals)
                .containsExactlyInAnyOrderElementsOf(
                        profiles.stream().map(TaskProfile::signals).toList());
    }

    private static TaskKey key(String kind, String queue) {
        return new TaskKey(TaskKey.Level.NAME, "yarn/%s/priority-1/%s/ann".formatted(kind, queue));
    }

    private static TaskProfile profile(String kind, String queue) {
        double level = 0.1 * (1 + KINDS.indexOf(kind));
        return new TaskProfile(
                key(kind, queue),
                10,
                Map.of(Signal.CPU, Averages.constant(10, level)),
                Averages.constant(10, 100 * level),
                Instant.EPOCH);
    }
}
