package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.nm.heartbeat.ReportPayload;
import org.interference.yarn.nm.heartbeat.ReportingNodeResourceMonitor;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;
import org.slf4j.LoggerFactory;

/**
 * The round trip of a heartbeat with the plugin on both sides, against the stock one: from asking the node's monitor,
 * where the plugin adds its payload, to the ResourceManager's answer, over RPC. The sampler's thread encodes, once a
 * second, beside the heartbeat's thread.
 *
 * <p>The ResourceManager answers before its dispatcher decodes, and the next heartbeat of a node comes a second later, so
 * that decoding is no part of the round trip. The pause between heartbeats keeps it out here too, and blocks that take
 * turns keep what is left of it with the side that caused it. Decoding is in the share of a core that ingest takes.
 */
final class HeartbeatPart {
    private static final int WARM_UP_BLOCKS = 12;
    private static final int BLOCKS = 33;
    private static final int HEARTBEATS = 200;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final double NANOS_PER_MICRO = 1e3;

    private final TestedResourceManager stock;
    private final TestedResourceManager plugin;
    private final NodeResourceMonitor stockMonitor = new NodeResourceMonitorImpl(null);
    private final Failures failures = new Failures(LoggerFactory.getLogger(HeartbeatPart.class));
    private final ReportPayload payload = new ReportPayload(HeartbeatCodec.MAX_PAYLOAD_BYTES, failures);
    private final NodeResourceMonitor pluginMonitor =
            new ReportingNodeResourceMonitor(null, stockMonitor, payload, failures);
    private final NodeReport report = Reports.of(0, 0);
    private long sequence;

    private HeartbeatPart(TestedResourceManager stock, TestedResourceManager plugin) {
        this.stock = stock;
        this.plugin = plugin;
    }

    static void measure(Results results) throws IOException, YarnException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        try (TestedResourceManager stock = new TestedResourceManager(CapacityScheduler.class.getName());
                TestedResourceManager plugin = new TestedResourceManager(InterferenceAwareScheduler.class.getName())) {
            new HeartbeatPart(stock, plugin).measureBlocks(results);
        }
    }

    /** One way to send a heartbeat. */
    private record Arm(String name, TestedResourceManager manager, Supplier<ResourceUtilization> utilization) {}

    private void measureBlocks(Results results) throws IOException, YarnException {
        List<Arm> arms = List.of(
                new Arm("stock", stock, stockMonitor::getUtilization),
                new Arm("plugin", plugin, pluginMonitor::getUtilization),
                // Where the difference comes from.
                new Arm("plugin_without_payload", plugin, stockMonitor::getUtilization));
        double[][] micros = new double[arms.size()][BLOCKS];
        for (int block = -WARM_UP_BLOCKS; block < BLOCKS; block++) {
            for (int turn = 0; turn < arms.size(); turn++) {
                // Each is first, second, ... equally often.
                int arm = Math.floorMod(turn + block, arms.size());
                double median = block(arms.get(arm));
                if (block >= 0) {
                    micros[arm][block] = median;
                }
            }
        }
        requireAllTaken();
        for (int arm = 0; arm < arms.size(); arm++) {
            results.put("heartbeat_%s_us".formatted(arms.get(arm).name()), Distribution.of(micros[arm]));
        }
        results.put("heartbeat_ratio", ratio(micros[1], micros[0]));
        results.put("heartbeat_ratio_without_payload", ratio(micros[2], micros[0]));
    }

    private static Distribution ratio(double[] plugin, double[] stock) {
        double[] ratios = new double[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            ratios[i] = plugin[i] / stock[i];
        }
        return Distribution.of(ratios);
    }

    /** Returns the median round trip of one block, in microseconds. */
    private double block(Arm arm) throws IOException, YarnException {
        double[] micros = new double[HEARTBEATS];
        for (int i = 0; i < HEARTBEATS; i++) {
            payload.accept(Optional.of(next()));
            long start = System.nanoTime();
            arm.manager().heartbeat(arm.utilization().get());
            micros[i] = (System.nanoTime() - start) / NANOS_PER_MICRO;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return Distribution.of(micros).median();
    }

    /** The sampler's newest report: by sequence and time another one at every heartbeat. */
    private NodeReport next() {
        sequence++;
        return new NodeReport(report.incarnation(), sequence, Instant.now(), report.containers());
    }

    /** @throws IllegalStateException if reports were lost: the last ones may still be on the dispatcher */
    private void requireAllTaken() {
        Map<IngestOutcome, Long> outcomes = ((RestHost) plugin.daemon().getResourceScheduler())
                .restSources()
                .orElseThrow()
                .ingest()
                .outcomes();
        long sent = (long) (WARM_UP_BLOCKS + BLOCKS) * HEARTBEATS;
        if (failures.total() > 0 || outcomes.get(IngestOutcome.ACCEPTED) < sent - HEARTBEATS) {
            throw new IllegalStateException("%d reports sent, taken: %s".formatted(sent, outcomes));
        }
    }
}
