package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.yarn.ConfiguredSizes;
import org.interference.yarn.capacity.yarn.KeptSize;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.PlacementHost;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Pressure;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.SharedTags;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One round of decisions about the sizes of nodes, per node: what is known of it is put together, the gains of all kinds that wait are worked out, and the governor
 * decides. Every node is full and has reported since the round before, so that nothing of its load is remembered.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 30)
@Measurement(iterations = 30)
public class GovernorBenchmark {
    static final int NODES = 1000;
    static final String DESCRIPTION = "%d nodes, each with %d measured containers; %d kinds of task wait"
            .formatted(NODES, LoadedCluster.SLOTS, Workload.KINDS);

    private static final int WAITING_OF_EACH = 10;
    /** Tasks use a quarter of it at most, so that there is memory for more of them. */
    private static final double MEMORY_BYTES = 6.0 * (1L << 30);

    private static final NodeFigures CALM = new NodeFigures(Map.of(
            NodeMetric.MEMORYBYTES, MEMORY_BYTES,
            NodeMetric.MEMORY, 0.5,
            NodeMetric.PSICPU, 0.05,
            NodeMetric.PSIIOF, 0.01,
            NodeMetric.PSIMEM, 0.0,
            NodeMetric.SPACE, 0.3));

    private LoadedCluster cluster;
    private NodeSizes sizes;
    private Instant now;

    /** The published tables, as if they had never been far off: otherwise no gain is sure. */
    public static final class Trusted implements SlowdownPredictor {
        @Override
        public String name() {
            return "trusted";
        }

        @Override
        public Prediction predict(Situation situation) {
            return PriorPredictor.PUBLISHED.predict(situation);
        }

        @Override
        public double slowdown(Situation situation, Pressure pressure) {
            return PriorPredictor.PUBLISHED.slowdown(situation, pressure);
        }

        @Override
        public OptionalDouble error() {
            return OptionalDouble.of(0.05);
        }
    }

    /** Fills the cluster and lets others wait. */
    @Setup
    public void load() throws IOException, YarnException {
        Path directory = Files.createTempDirectory("interference-governor");
        Configuration conf = Family.CAPACITY.configuration(Contender.ALWAYS);
        conf.set("yarn.interference.predict.predictor", Trusted.class.getName());
        cluster = new LoadedCluster(
                conf,
                new LoadedCluster.Size(NODES, LoadedCluster.SLOTS, LoadedCluster.SLOTS),
                directory,
                OptionalInt.empty());
        cluster.leaveWaiting(WAITING_OF_EACH);
        Sources plugin = cluster.plugin().orElseThrow();
        YarnPlacement placement =
                ((PlacementHost) cluster.scheduler()).placement().orElseThrow();
        sizes = new NodeSizes(
                cluster.context(),
                plugin.ingest(),
                plugin.learnt().profiles(),
                placement,
                this::asked,
                Instant::ofEpochMilli,
                GovernorSettings.from(
                        (name, fallback) -> name.equals("yarn.interference.capacity.mode") ? "shadow" : fallback),
                new NothingKept(),
                plugin.placement().gate().faults());
        // No report is ever old: rounds are 2 s apart by this clock, and less by that of the reports.
        now = Instant.now().minus(Duration.ofDays(1));
    }

    private Optional<Request> asked(RMContainer container) {
        return Optional.of(new YarnTasks(SharedTags.NONE)
                .request(
                        cluster.context()
                                .getRMApps()
                                .get(container.getApplicationAttemptId().getApplicationId()),
                        cluster.scheduler().getApplicationAttempt(container.getApplicationAttemptId()),
                        container.getAllocatedSchedulerKey(),
                        false));
    }

    /** In shadow nothing is to be kept. */
    private static final class NothingKept implements ConfiguredSizes {
        @Override
        public Optional<Map<String, KeptSize>> before() {
            return Optional.of(Map.of());
        }

        @Override
        public Map<String, KeptSize> kept() {
            return Map.of();
        }

        @Override
        public void keep(Map<String, KeptSize> kept) {
            // Nowhere.
        }
    }

    /** Every node tells anew what its containers use. */
    @Setup(Level.Iteration)
    public void report() throws IOException, YarnException {
        cluster.report(CALM);
        now = now.plusSeconds(2);
    }

    @Benchmark
    @OperationsPerInvocation(NODES)
    public CapacityReport decide() {
        sizes.tick(now);
        return sizes.report();
    }

    /** Fails unless every node was decided about in every round, and says how. */
    @TearDown
    public void check() {
        CapacityReport report = sizes.report();
        System.out.println(report.reasons());
        if (report.nodes().stream().filter(node -> node.decision().isPresent()).count() != NODES) {
            throw new IllegalStateException("not every node was decided about: " + report.reasons());
        }
        cluster.stop();
    }
}
