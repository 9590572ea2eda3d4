package org.interference.yarn.nm.heartbeat;

import java.util.Optional;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceUtilizationProto;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
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
    private final ReportPayload payload;
    private final Failures failures;

    public ReportingNodeResourceMonitor(
            Context context, NodeResourceMonitor stock, ReportPayload payload, Failures failures) {
        super(context);
        this.stock = stock;
        this.payload = payload;
        this.failures = failures;
    }

    @Override
    public ResourceUtilization getUtilization() {
        ResourceUtilization utilization = stock.getUtilization();
        try {
            Optional<UnknownFieldSet.Field> field = payload.field();
            return field.isPresent() ? carrying(utilization, field.get()) : utilization;
        } catch (Throwable e) {
            failures.note("The heartbeat goes out without interference counters", e);
            return utilization;
        }
    }

    private static ResourceUtilization carrying(ResourceUtilization utilization, UnknownFieldSet.Field field) {
        ResourceUtilizationProto proto = ((ResourceUtilizationPBImpl) utilization).getProto();
        UnknownFieldSet fields = UnknownFieldSet.newBuilder(proto.getUnknownFields())
                .addField(HeartbeatCodec.CARRIER_FIELD, field)
                .build();
        return new ResourceUtilizationPBImpl(
                proto.toBuilder().setUnknownFields(fields).build());
    }
}
