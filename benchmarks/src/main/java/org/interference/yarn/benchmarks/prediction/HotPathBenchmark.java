package org.interference.yarn.benchmarks.prediction;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;
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

/** One prediction: one task, one node. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HotPathBenchmark {
    private static final int NODES = 256;

    /** The table of co-runs that the models are trained on. */
    @Param("")
    public String table;

    /** A {@link Contestant}. */
    @Param({"PRIOR", "LINEAR", "BOOSTED", "COMPOSED"})
    public String contestant;

    private final List<Neighbours> nodes = new ArrayList<>();
    private SlowdownPredictor predictor;
    private InterferenceVector task;
    private int next;

    /** Trains, and puts one to three kinds on each node. */
    @Setup
    public void train() throws IOException {
        CorunTable measured = CorunTable.read(Path.of(table));
        Map<String, InterferenceVector> profiles = measured.profiles(repetition -> true);
        List<String> kinds = List.copyOf(measured.kinds());
        predictor = Contestant.valueOf(contestant)
                .trained(measured, measured.rows(), profiles)
                .of(kinds.get(0));
        task = profiles.get(kinds.get(0));
        Random random = new Random(1);
        for (int i = 0; i < NODES; i++) {
            List<InterferenceVector> load = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(3); j++) {
                load.add(profiles.get(kinds.get(random.nextInt(kinds.size()))));
            }
            nodes.add(Neighbours.of(load));
        }
    }

    @Benchmark
    public Prediction predict() {
        next = (next + 1) % NODES;
        return predictor.predict(task, nodes.get(next));
    }
}
