package org.interference.yarn.benchmarks;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One round of heartbeats through the tap on the ResourceManager's dispatcher, per heartbeat. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class IngestBenchmark {
    private static final int NODES = 1000;

    private final TappedCluster cluster = new TappedCluster(NODES);
    private RMNodeStatusEvent[] heartbeats;

    /** Every round brings newer reports; an old one would be refused. */
    @Setup(Level.Iteration)
    public void nextRound() {
        heartbeats = cluster.nextRound();
    }

    @Benchmark
    @OperationsPerInvocation(NODES)
    public void ingest() {
        cluster.handle(heartbeats);
    }
}
