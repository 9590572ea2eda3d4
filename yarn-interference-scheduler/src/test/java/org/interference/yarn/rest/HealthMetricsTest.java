package org.interference.yarn.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.NoControl;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.FinishedTasks;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.Traffic;
import org.interference.yarn.place.MatchSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.relocate.RelocationReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthMetricsTest {
    private static final String FRESH = "node-a:8041";
    private static final String STALE = "node-b:8041";
    private static final String SILENT = "node-c:8041";
    private static final Request MAP = new Request("attempt_1", "priority 20", Tasks.SORT, false);

    private final ProfileRepository profiles = Tasks.repository(Vectors.cpu(0.5), Duration.ofSeconds(10));
    private final FinishedTasks finished = Tasks.finished(profiles);
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), finished::sampled);
    private final Placement placement = new Placement(
            ingest,
            profiles,
            new FakePredictor(),
            new PlaceSettings(
                    Mode.SHADOW, Duration.ofSeconds(1), Duration.ofSeconds(2), 100, 1000, 2, MatchSettings.OFF));
    private final OnlineAdaptiveModule module =
            new OnlineAdaptiveModule(new ComposedPredictor(), List.of(), ModelStore.NONE, 1000, 100, new Random(1));
    private final Sources sources = new Sources(
            ingest,
            new Sources.Cluster(
                    () -> new TreeSet<>(Set.of(FRESH, STALE, SILENT)), List::of, container -> Optional.empty(), null),
            new Sources.Learnt(
                    profiles,
                    finished,
                    new Attribution(new FakePredictor(), profiles, container -> Optional.empty()),
                    new Traffic(container -> Optional.empty()),
                    module::report,
                    Optional::empty,
                    () -> new Sources.Store("/data/profiles.json", Optional.empty())),
            placement,
            new NoControl(),
            () -> CapacityReport.OFF,
            () -> RelocationReport.OFF,
            InstantSource.fixed(T0.plusSeconds(8)));
    private final MetricsSystem system = new MetricsSystemImpl();

    @AfterEach
    void shutDown() {
        system.shutdown();
    }

    @Test
    void queuesWithAModeOfTheirOwnAreCountedByTheModeInForce() {
        placement.refresh(PlaceSettings.from(
                Map.of("yarn.interference.place.queue-modes", "root.a=on,root.b=on,root.c=off")::getOrDefault));

        assertThat(collected())
                .containsEntry("QueuesInModeOff", 1L)
                .containsEntry("QueuesInModeShadow", 0L)
                .containsEntry("QueuesInModeOn", 2L);
        for (int i = 0; i < placement.gate().settings().breakerErrors(); i++) {
            placement.gate().failed(new IllegalStateException("an error"));
        }
        assertThat(collected())
                .containsEntry("QueuesInModeOff", 1L)
                .containsEntry("QueuesInModeShadow", 2L)
                .containsEntry("QueuesInModeOn", 0L);
    }

    @Test
    void everyOutcomeOfAPayloadHasItsCounter() {
        List<IngestOutcome> outcomes = List.of(IngestOutcome.values());
        for (int i = 0; i < outcomes.size(); i++) {
            for (int times = 0; times <= i; times++) {
                ingest.count(outcomes.get(i));
            }
        }

        Map<String, Number> metrics = collected();

        for (int i = 0; i < outcomes.size(); i++) {
            String flat = "heartbeats" + outcomes.get(i).name().replace("_", "").toLowerCase(Locale.ROOT);
            assertThat(metrics.entrySet())
                    .filteredOn(
                            metric -> metric.getKey().toLowerCase(Locale.ROOT).equals(flat))
                    .extracting(Map.Entry::getValue)
                    .containsExactly(i + 1L);
        }
    }

    @Test
    void gaugesTellTheStateOfTheCluster() {
        ingest.accept(STALE, heartbeat(1), T0);
        ingest.accept(FRESH, heartbeat(1, running("c0", Vectors.cpu(0.5))), T0.plusSeconds(7));
        placement.proposed("c1", FRESH, MAP, T0.plusSeconds(7));
        placement.gate().failed(new IllegalStateException("an error"));

        assertThat(collected())
                .containsEntry("NodesFresh", 1L)
                .containsEntry("NodesMeasuringCpu", 1L)
                .containsEntry("NodesMeasuringMbw", 0L)
                .containsEntry("NodesStale", 1L)
                .containsEntry("NodesNeverSeen", 1L)
                .containsEntry("OldestSampleAgeMs", 8000L)
                .containsEntry("PendingPlacements", 1L)
                .containsEntry("BreakerErrors", 1L)
                .containsEntry("BreakerOpen", 0L)
                .containsEntry("StoreProblem", 0L)
                .containsEntry("TimeShareLimit", 1.0)
                .containsEntry("Errors", 1L)
                .containsEntry("Mode", 1L);
    }

    @Test
    void whatNobodyKnowsHasNoGauge() {
        assertThat(collected())
                .doesNotContainKeys("ModelErrorComposed", "ModelErrorPrior", "ModelErrorChampion", "ModelVersion");
    }

    @Test
    void decisionTimesHaveARecordForEachBound() {
        ingest.accept(FRESH, heartbeat(1), T0.plusSeconds(7));
        placement.ranking().rank(MAP, T0.plusSeconds(8), List::of);

        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new HealthMetrics(sources, Optional.empty()).getMetrics(collector, true);
        Map<String, Number> within = new TreeMap<>();
        for (MetricsRecord record : records(collector)) {
            record.tags().stream().filter(tag -> tag.name().equals("le")).forEach(tag -> record.metrics()
                    .forEach(metric -> within.put(tag.value(), metric.value())));
        }

        assertThat(within).hasSize(17).containsEntry("10", 1L).containsEntry("+Inf", 1L);
    }

    @Test
    void theNumbersAreThoseOfHealth() {
        ingest.accept(FRESH, "garbage".getBytes(StandardCharsets.UTF_8), T0);
        Figures figures = Figures.of(sources, sources.clock().instant());

        Map<String, Number> metrics = collected();

        // The last one: all bounds of the histogram have one name.
        assertThat(metrics)
                .hasSize(figures.counters().size()
                        + figures.gauges().size()
                        + figures.shares().size()
                        + 1);
        assertThat(metrics).containsEntry("HeartbeatsMalformed", 1L);
        assertThat(figures.counters()).containsEntry("heartbeats.MALFORMED", 1L);
    }

    @Test
    void sourcesOfSeveralResourceManagersStandSideBySideAndLeaveOneByOne() {
        system.init("HealthMetricsTest");
        HealthMetrics first = new HealthMetrics(sources, Optional.of("rm1"));
        HealthMetrics second = new HealthMetrics(sources, Optional.of("rm2"));

        String nameOfFirst = first.register(system);
        String nameOfSecond = second.register(system);

        assertThat(nameOfFirst).isEqualTo("InterferenceScheduler");
        assertThat(nameOfSecond).isEqualTo("InterferenceScheduler-2");
        system.unregisterSource(nameOfFirst);
        assertThat(system.getSource(nameOfFirst)).isNull();
        assertThat(system.getSource(nameOfSecond)).isSameAs(second);
        assertThat(first.register(system)).isEqualTo("InterferenceScheduler");
    }

    @Test
    void sourceThatCannotBeReadDoesNotDisturbTheMetricsSystem() {
        Sources broken = new Sources(
                ingest,
                new Sources.Cluster(
                        () -> {
                            throw new AssertionError("the cluster is unknown");
                        },
                        sources.cluster().rooms(),
                        sources.cluster().tasks(),
                        null),
                new Sources.Learnt(
                        profiles,
                        finished,
                        sources.learnt().attribution(),
                        sources.learnt().traffic(),
                        sources.learnt().model(),
                        sources.learnt().characterisation(),
                        sources.learnt().store()),
                placement,
                sources.control(),
                sources.capacity(),
                sources.relocation(),
                sources.clock());

        new HealthMetrics(broken, Optional.empty()).getMetrics(new MetricsCollectorImpl(), true);

        assertThat(placement.gate().health().errors()).isEqualTo(1);
    }

    private Map<String, Number> collected() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new HealthMetrics(sources, Optional.of("rm1")).getMetrics(collector, true);
        Map<String, Number> metrics = new TreeMap<>();
        for (MetricsRecord record : records(collector)) {
            for (AbstractMetric metric : record.metrics()) {
                metrics.put(metric.name(), metric.value());
            }
        }
        return metrics;
    }

    // In Hadoop 3.3 the class of the records cannot be named.
    private static List<? extends MetricsRecord> records(MetricsCollectorImpl collector) {
        return collector.getRecords();
    }
}
