package org.interference.yarn.sim.policy;

import java.time.Duration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.ingest.yarn.HeartbeatTap;
import org.interference.yarn.sim.engine.Insight;

/** The plugin's own ingest, for schedulers that are not the plugin's. */
final class MeasuredNodes {
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private MeasuredNodes() {}

    static Ingest ingest() {
        return new Ingest(IngestSettings.from((key, defaultValue) -> defaultValue), HEARTBEAT, sample -> {});
    }

    static void tap(RMContext context, Ingest ingest, Insight insight) {
        context.getDispatcher()
                .register(
                        RMNodeEventType.class,
                        new HeartbeatTap(ingest, new Mailbox(ingest, Runnable::run), insight.clock()));
    }
}
