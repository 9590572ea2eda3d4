package org.interference.yarn.ingest.yarn;

import java.time.InstantSource;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Sees every heartbeat on the ResourceManager's dispatcher, also those that the scheduler never gets because NODE_UPDATE
 * coalesces under load, and posts its payload.
 *
 * <p>That dispatcher serves the whole ResourceManager with one thread, so nothing is decoded on it. Whatever happens, {@link #handle} returns: an exception here would stop the ResourceManager's dispatcher.
 */
public final class HeartbeatTap implements EventHandler<RMNodeEvent> {
    private final Ingest ingest;
    private final Mailbox mailbox;
    private final InstantSource clock;

    /** @param ingest counts what is not worth posting */
    public HeartbeatTap(Ingest ingest, Mailbox mailbox, InstantSource clock) {
        this.ingest = ingest;
        this.mailbox = mailbox;
        this.clock = clock;
    }

    @Override
    @SuppressWarnings("CatchThrowable") // The dispatcher, and with it the ResourceManager, would end.
    public void handle(RMNodeEvent event) {
        try {
            if (event instanceof RMNodeStatusEvent status
                    && status.getNodeUtilization() instanceof ResourceUtilizationPBImpl utilization) {
                take(event.getNodeId().toString(), utilization);
            }
        } catch (Throwable e) {
            ingest.failed(e);
        }
    }

    private void take(String node, ResourceUtilizationPBImpl utilization) {
        UnknownFieldSet.Field carrier =
                utilization.getProto().getUnknownFields().getField(HeartbeatCodec.CARRIER_FIELD);
        List<ByteString> payloads = carrier.getLengthDelimitedList();
        if (payloads.isEmpty()) {
            return;
        }
        if (payloads.size() > 1) {
            ingest.count(IngestOutcome.MALFORMED);
        } else if (!ingest.reads(payloads.get(0).size())) {
            ingest.count(IngestOutcome.OVERSIZED);
        } else {
            mailbox.post(node, payloads.get(0).toByteArray(), clock.instant());
        }
    }
}
