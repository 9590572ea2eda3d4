package org.interference.yarn.nm.heartbeat;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceUtilizationProto;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * The stock monitor's utilization with the newest node report in an unknown field. Whatever goes wrong, the heartbeat
 * goes out as stock.
 *
 * <p>It extends the stock class because NodeStatusUpdaterImpl casts to it, and is never started as a service: the stock
 * monitor stays the one that measures.
 */
public final class ReportingNodeResourceMonitor extends NodeResourceMonitorImpl {
    private final NodeResourceMonitor stock;
    private final Supplier<Optional<NodeReport>> newest;
    private final int maxPayloadBytes;
    private final Failures failures;

    /**
     * @param newest asked at every heartbeat; must not block
     * @param maxPayloadBytes a larger report is not sent
     */
    public ReportingNodeResourceMonitor(
            Context context,
            NodeResourceMonitor stock,
            Supplier<Optional<NodeReport>> newest,
            int maxPayloadBytes,
            Failures failures) {
        super(context);
        this.stock = stock;
        this.newest = newest;
        this.maxPayloadBytes = maxPayloadBytes;
        this.failures = failures;
    }

    @Override
    public ResourceUtilization getUtilization() {
        ResourceUtilization utilization = stock.getUtilization();
        try {
            Optional<NodeReport> report = newest.get();
            return report.isPresent() ? carrying(utilization, HeartbeatCodec.encode(report.get())) : utilization;
        } catch (Throwable e) {
            failures.note("The heartbeat goes out without interference counters", e);
            return utilization;
        }
    }

    private ResourceUtilization carrying(ResourceUtilization utilization, byte[] payload) {
        if (payload.length > maxPayloadBytes) {
            failures.note(
                    "The heartbeat goes out without interference counters, their size is over the limit",
                    "%d bytes, at most %d are sent".formatted(payload.length, maxPayloadBytes));
            return utilization;
        }
        ResourceUtilizationProto proto = ((ResourceUtilizationPBImpl) utilization).getProto();
        UnknownFieldSet.Field blob = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(payload))
                .build();
        UnknownFieldSet fields = UnknownFieldSet.newBuilder(proto.getUnknownFields())
                .addField(HeartbeatCodec.CARRIER_FIELD, blob)
                .build();
        return new ResourceUtilizationPBImpl(
                proto.toBuilder().setUnknownFields(fields).build());
    }
}
