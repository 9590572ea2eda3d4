package org.interference.yarn.benchmarks;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Finding one of 100,000 profiles, each time another one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class LookupBenchmark {
    private static final int TASKS = 1 << 13;

    private final ProfileRepository repository = SyntheticProfiles.repository();
    private final TaskIdentity[] tasks = new TaskIdentity[TASKS];
    private final TaskIdentity[] strangers = new TaskIdentity[TASKS];
    private int next;

    public LookupBenchmark() {
        Random random = new Random(2);
        for (int i = 0; i < TASKS; i++) {
            tasks[i] = SyntheticProfiles.task(random.nextInt(SyntheticProfiles.COUNT - 10));
            strangers[i] = SyntheticProfiles.task(SyntheticProfiles.COUNT + i);
        }
    }

    @Benchmark
    public Optional<TaskProfile> find() {
        return repository.find(tasks[next++ & (TASKS - 1)]);
    }

    /** Nothing is known by name: the coarse levels are tried. */
    @Benchmark
    public Optional<TaskProfile> findCoarse() {
        return repository.find(strangers[next++ & (TASKS - 1)]);
    }

    /** What comes before it when the identity is not at hand: normalising the name, making the keys. */
    @Benchmark
    public TaskIdentity identify() {
        return SyntheticProfiles.task(next++ & (TASKS - 1));
    }
}
