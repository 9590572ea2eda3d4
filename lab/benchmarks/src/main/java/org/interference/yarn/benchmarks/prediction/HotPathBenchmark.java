package org.interference.yarn.benchmarks.prediction;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.NodeLoad;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.TaskKind;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One task, one node. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HotPathBenchmark {
    private static final int NODES = 1 << 10;

    private static final Instant NOW = Instant.EPOCH;
    private static final TaskIdentity TASK =
            TaskIdentity.of("benchmark", "task", "map", "default", Optional.of("task"));

    /** The table of co-runs that the models are trained on. */
    @Param("")
    public String table;

    /** A {@link Contestant}. */
    @Param({"PRIOR", "LINEAR", "BOOSTED", "COMPOSED"})
    public String contestant;

    private final List<Neighbours> loads = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private SlowdownPredictor predictor;
    private InterferenceVector task;
    private Placement placement;
    private TaskKind kind;
    private int next;

    /** Trains, and puts one to three kinds on each node. */
    @Setup
    public void train() throws IOException {
        CorunTable measured = MeasuredHost.readCoruns(Path.of(table));
        Map<String, InterferenceVector> profiles = measured.profiles(repetition -> true);
        List<String> kinds = List.copyOf(measured.kinds());
        SlowdownPredictor trained = Contestant.valueOf(contestant).trained(measured, measured.rows(), profiles);
        predictor = trained.of(kinds.get(0));
        task = profiles.get(kinds.get(0));
        Ingest ingest = new Ingest(IngestSettings.from((name, fallback) -> fallback), Duration.ofDays(1), sample -> {});
        ProfileRepository repository = new ProfileRepository(1);
        repository.record(new TaskSample(TASK, task, Duration.ofMinutes(1), NOW));
        placement = new Placement(ingest, repository, trained, PlaceSettings.from((name, fallback) -> fallback));
        kind = placement.accounts().kind(TASK, NOW).orElseThrow();
        Random random = new Random(1);
        for (int i = 0; i < NODES; i++) {
            List<InterferenceVector> load = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(3); j++) {
                load.add(profiles.get(kinds.get(random.nextInt(kinds.size()))));
            }
            loads.add(Neighbours.of(load));
            nodes.add("node-%d:8041".formatted(i));
            ingest.accept(nodes.get(i), heartbeat(load), NOW);
        }
    }

    private static byte[] heartbeat(List<InterferenceVector> load) {
        List<ContainerReport> containers = new ArrayList<>();
        for (InterferenceVector vector : load) {
            EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
            vector.levels()
                    .forEach((signal, level) ->
                            readings.put(signal, new Reading.Measured(level, level, level, false, "benchmark")));
            containers.add(
                    new ContainerReport("container-" + containers.size(), Duration.ofMinutes(1), false, readings));
        }
        return HeartbeatCodec.encode(new NodeReport(1, 1, NOW, containers));
    }

    /** What the predictor takes for one task and one node. */
    @Benchmark
    public Prediction predict() {
        next = (next + 1) % NODES;
        return predictor.predict(task, loads.get(next));
    }

    /** What a decision takes for one node that is as it was: finding the node, and what the task costs there. */
    @Benchmark
    public NodeLoad.Cost lookup() {
        next = (next + 1) % NODES;
        return placement.accounts().load(nodes.get(next), NOW).orElseThrow().cost(kind);
    }

    /** The same for a node that has just changed: the newcomer's slowdown and what each neighbour gets done less. */
    @Benchmark
    public NodeLoad.Cost workOut() {
        next = (next + 1) % NODES;
        return new NodeLoad(placement
                        .accounts()
                        .load(nodes.get(next), NOW)
                        .orElseThrow()
                        .containers())
                .cost(kind);
    }
}
