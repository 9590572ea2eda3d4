package org.interference.yarn.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Optional;
import java.util.Random;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/** A repository as a large cluster fills it: every signal measured, names of common length. */
final class SyntheticProfiles {
    static final int COUNT = 100_000;
    private static final Instant T0 = Instant.parse("2024-05-06T07:08:09Z");
    private static final int SAMPLES = 20;

    private SyntheticProfiles() {}

    /** Returns a repository of about {@link #COUNT} profiles. */
    static ProfileRepository repository() {
        ProfileRepository repository = new ProfileRepository(ProfileSettings.from((name, fallback) -> fallback));
        Random random = new Random(1);
        for (int i = 0; repository.size() < COUNT; i++) {
            for (int sample = 0; sample < SAMPLES; sample++) {
                record(repository, i, random);
            }
        }
        repository.changes();
        return repository;
    }

    static void record(ProfileRepository repository, int job, Random random) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            levels.put(signal, (double) random.nextFloat());
        }
        repository.record(new TaskSample(
                task(job),
                new InterferenceVector(levels),
                Duration.ofMillis(30_000 + random.nextInt(10_000)),
                T0.plusSeconds(random.nextInt(1_000_000))));
    }

    static TaskIdentity task(int job) {
        return TaskIdentity.of("SPARK", "nightly-report-" + letters(job), "executor-0", "root.etl", Optional.empty());
    }

    /** Digits would not tell jobs apart. */
    private static String letters(int number) {
        StringBuilder letters = new StringBuilder();
        for (int rest = number; rest > 0 || letters.isEmpty(); rest /= 26) {
            letters.append((char) ('a' + rest % 26));
        }
        return letters.toString();
    }
}
