package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.ingest.yarn.HeartbeatTap;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.engine.Insight;

/** The share of a node's CPU that is not used: by what was measured, and a processor for each container that is not measured yet. */
final class LeastCpu implements Gains {
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private final Insight insight;
    private final Ingest ingest =
            new Ingest(IngestSettings.from((key, defaultValue) -> defaultValue), HEARTBEAT, sample -> {});

    LeastCpu(Insight insight) {
        this.insight = insight;
    }

    @Override
    public void attach(RMContext context) {
        context.getDispatcher()
                .register(
                        RMNodeEventType.class,
                        new HeartbeatTap(ingest, new Mailbox(ingest, Runnable::run), insight.clock()));
    }

    @Override
    public OptionalDouble gain(SchedulerNode node, ApplicationAttemptId attempt) {
        return ingest.fresh(node.getNodeID().toString(), insight.clock().instant())
                .map(sample -> OptionalDouble.of(1 - cpu(sample, node)))
                .orElse(OptionalDouble.empty());
    }

    private static double cpu(NodeSample sample, SchedulerNode node) {
        double measured = sample.load().level(Signal.CPU).orElse(0);
        int unmeasured = Math.max(0, node.getNumContainers() - sample.running().size());
        return measured + (double) unmeasured / node.getTotalResource().getVirtualCores();
    }
}
