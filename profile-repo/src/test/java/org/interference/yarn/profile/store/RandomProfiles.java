package org.interference.yarn.profile.store;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.profile.Tasks;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;

/** Profiles with everything in them that a profile can have. */
final class RandomProfiles {
    private static final Instant NOW = Instant.parse("2024-05-06T07:08:09.010Z");

    private RandomProfiles() {}

    static List<TaskProfile> of(Random random) {
        return of(random, List.of(Signal.values()));
    }

    static List<TaskProfile> of(Random random, List<Signal> signals) {
        ProfileRepository repository = new ProfileRepository(1);
        int samples = 5 + random.nextInt(80);
        for (int i = 0; i < samples; i++) {
            repository.record(sample(random, signals));
        }
        return repository.all();
    }

    static TaskSample sample(Random random) {
        return sample(random, List.of(Signal.values()));
    }

    private static TaskSample sample(Random random, List<Signal> signals) {
        String job = "job-" + (char) ('a' + random.nextInt(6)) + (random.nextInt(5) == 0 ? " \"größe\" \\ \u2028" : "");
        return new TaskSample(
                random.nextBoolean() ? Tasks.map(job) : Tasks.taggedMap(job, "tag" + random.nextInt(3)),
                levels(random, signals),
                levels(random, signals),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(random.nextInt(1_000_000))),
                NOW.plusNanos(random.nextLong(1L << 50)),
                random.nextBoolean() ? Optional.of(new LaunchSignature(random.nextInt(4) - 2)) : Optional.empty(),
                List.of(Company.values()).get(random.nextInt(3)),
                signals.contains(Signal.MEM) && random.nextBoolean() ? Optional.of(use(random)) : Optional.empty());
    }

    private static ResourceUse use(Random random) {
        double bytes = Math.pow(2, 20 + 20 * random.nextDouble());
        return new ResourceUse(
                bytes * (1 + random.nextDouble()),
                1 + random.nextInt(8),
                random.nextInt(1_000_000) / 1000.0,
                bytes,
                bytes * random.nextDouble(),
                random.nextBoolean() ? OptionalDouble.of(random.nextDouble() * 8) : OptionalDouble.empty(),
                256L << 30,
                random.nextInt(20) == 0);
    }

    private static InterferenceVector levels(Random random, List<Signal> signals) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : signals) {
            if (random.nextBoolean()) {
                levels.put(signal, random.nextDouble() * Math.pow(10, random.nextInt(12) - 6));
            }
        }
        return new InterferenceVector(levels);
    }
}
