package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.profile.Tasks.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles that users share are moved by all of them, and by none of them alone. */
class UserSharesTest {
    private static final TaskKey ROLE = new TaskKey(TaskKey.Level.ROLE, "mapreduce/map");

    private final ProfileRepository repository = new ProfileRepository(1);
    private final Random random = new Random(5);
    private Instant now = T0;

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    void whoFloodsASharedProfileDoesNotDominateIt(int times) {
        for (int i = 0; i < 200; i++) {
            for (String user : List.of("ann", "bob", "cem", "dag")) {
                ran(user, 0.8 + 0.02 * random.nextGaussian());
            }
            for (int j = 0; j < times; j++) {
                ran("mallory", 0);
            }
        }

        // A quarter and one of the newest 32, at most.
        assertThat(mean(ROLE)).isGreaterThan(0.5);
        assertThat(mean(new TaskKey(TaskKey.Level.QUEUE, "default"))).isGreaterThan(0.5);
        assertThat(mean(new TaskKey(TaskKey.Level.CLUSTER, "*"))).isGreaterThan(0.5);
    }

    @Test
    void profileOfAUserHasAllOfIts() {
        for (int i = 0; i < 100; i++) {
            ran("ann", 0.5);
            ran("bob", 0.5);
        }

        assertThat(profile(new TaskKey(TaskKey.Level.USER, "mapreduce/map/ann")).samples())
                .isEqualTo(100);
    }

    @Test
    void clusterOfOneUserLearnsFromAllThatItRuns() {
        for (int i = 0; i < 1000; i++) {
            ran("hive", 0.5);
        }

        assertThat(profile(ROLE).samples()).isEqualTo(1000);
    }

    @Test
    void whoIsLeftAloneIsLearntFromAgainAfterADay() {
        for (int i = 0; i < 100; i++) {
            ran("ann", 0.5);
            ran("bob", 0.5);
        }
        now = now.plus(Duration.ofDays(1)).plusSeconds(1);
        long before = profile(ROLE).samples();
        for (int i = 0; i < 100; i++) {
            ran("ann", 0.5);
        }

        assertThat(profile(ROLE).samples()).isEqualTo(before + 100);
    }

    @Test
    void twoUsersGoOnForEver() {
        for (int i = 0; i < 100; i++) {
            ran("ann", 0.5);
        }
        long before = profile(ROLE).samples();
        for (int i = 0; i < 100; i++) {
            ran("ann", 0.5);
            ran("bob", 0.5);
        }

        assertThat(profile(ROLE).samples()).isGreaterThanOrEqualTo(before + 100);
    }

    private void ran(String user, double cpu) {
        now = now.plusMillis(10);
        TaskIdentity task =
                TaskIdentity.of("MAPREDUCE", "job of " + user, "map", "default", Optional.empty(), Optional.of(user));
        repository.record(new TaskSample(
                task, new InterferenceVector(Map.of(Signal.CPU, Math.max(0, cpu))), Duration.ofSeconds(30), now));
    }

    private TaskProfile profile(TaskKey key) {
        return repository.all().stream()
                .filter(profile -> profile.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private double mean(TaskKey key) {
        return profile(key).signals().get(Signal.CPU).mean();
    }
}
