package org.interference.yarn.benchmarks;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.proto.YarnServerCommonProtos.NodeStatusProto;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.api.records.impl.pb.NodeStatusPBImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.interference.yarn.ingest.yarn.HeartbeatTap;
import org.interference.yarn.wire.HeartbeatCodec;

/** A ResourceManager's tap, and the heartbeats of its nodes as its RPC server hands them to the dispatcher. */
public final class TappedCluster {
    private final NodeId[] nodes;
    private final Ingest ingest;
    private final HeartbeatTap tap;
    private long rounds;

    TappedCluster(int nodes) {
        this.nodes = new NodeId[nodes];
        for (int i = 0; i < nodes; i++) {
            this.nodes[i] = NodeId.newInstance("node-%05d.example.com".formatted(i), 8041);
        }
        IngestSettings defaults = IngestSettings.from((key, fallback) -> fallback);
        this.ingest = new Ingest(defaults, Duration.ofSeconds(1), sample -> {});
        // The decoding thread's work, on the thread that is measured.
        Mailbox mailbox = new Mailbox(ingest, Runnable::run);
        this.tap = new HeartbeatTap(ingest, mailbox, () -> Reports.NOW.plusSeconds(rounds));
    }

    Ingest ingest() {
        return ingest;
    }

    /** Makes the next heartbeat of every node, a second after the one before. That takes longer than taking them in: measure without it. */
    RMNodeStatusEvent[] nextRound() {
        rounds++;
        RMNodeStatusEvent[] heartbeats = new RMNodeStatusEvent[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            heartbeats[i] =
                    new RMNodeStatusEvent(nodes[i], received(nodes[i], HeartbeatCodec.encode(Reports.of(i, rounds))));
        }
        return heartbeats;
    }

    void handle(RMNodeStatusEvent[] heartbeats) {
        for (RMNodeStatusEvent heartbeat : heartbeats) {
            tap.handle(heartbeat);
        }
    }

    /** @throws IllegalStateException if any report was refused: then what was measured is not what is claimed */
    void requireAllAccepted() {
        long accepted = ingest.outcomes().get(IngestOutcome.ACCEPTED);
        if (accepted != rounds * nodes.length) {
            throw new IllegalStateException(
                    "%d of %d reports accepted: %s".formatted(accepted, rounds * nodes.length, ingest.outcomes()));
        }
    }

    /** Returns a node's utilization with {@code payload} in the unknown field, as the NodeManager plugin sends it. */
    public static ResourceUtilization carrying(byte[] payload) {
        ResourceUtilizationPBImpl stock = (ResourceUtilizationPBImpl) ResourceUtilization.newInstance(1024, 2048, 0.5f);
        UnknownFieldSet carrier = UnknownFieldSet.newBuilder()
                .addField(
                        HeartbeatCodec.CARRIER_FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(payload))
                                .build())
                .build();
        return new ResourceUtilizationPBImpl(
                stock.getProto().toBuilder().setUnknownFields(carrier).build());
    }

    /** The status after its way through the RPC server: parsed, with the payload in the unknown field. */
    private static NodeStatus received(NodeId node, byte[] payload) {
        NodeStatus sent = NodeStatus.newInstance(
                node,
                1,
                List.of(),
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                ResourceUtilization.newInstance(1024, 2048, 0.5f),
                carrying(payload),
                List.of());
        try {
            byte[] request = ((NodeStatusPBImpl) sent).getProto().toByteArray();
            return new NodeStatusPBImpl(NodeStatusProto.parseFrom(request));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("our own bytes cannot be read", e);
        }
    }
}
