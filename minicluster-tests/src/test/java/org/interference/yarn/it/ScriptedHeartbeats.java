package org.interference.yarn.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/** One NodeManager's heartbeats with whatever a test puts where the plugin puts its report. */
final class ScriptedHeartbeats extends NodeResourceMonitorImpl {
    private final LongFunction<Optional<byte[]>> payloads;
    private long beat;

    private ScriptedHeartbeats(Context context, LongFunction<Optional<byte[]>> payloads) {
        super(context);
        this.payloads = payloads;
    }

    /** From its next heartbeat on, {@code node} sends these payloads, by the number of the heartbeat from 1. */
    static void send(NodeManager node, LongFunction<byte[]> payloads) {
        install(node, beat -> Optional.of(payloads.apply(beat)));
    }

    /** From its next heartbeat on, {@code node} is without the plugin. */
    static void sendNothing(NodeManager node) {
        install(node, beat -> Optional.empty());
    }

    private static void install(NodeManager node, LongFunction<Optional<byte[]>> payloads) {
        NodeManager.NMContext context = (NodeManager.NMContext) node.getNMContext();
        context.setNodeResourceMonitor(new ScriptedHeartbeats(context, payloads));
    }

    /**
     * A sound report of {@code containers} that together press on the CPU by {@code cpu}, each observed for {@code beat} fifths of a second:
     * where a node sends five a second, or fewer, not faster than time passes.
     */
    static NodeReport report(long incarnation, long beat, double cpu, int containers) {
        return report(incarnation, beat, Instant.now(), Duration.ofMillis(200 * beat), cpu, containers);
    }

    static NodeReport report(
            long incarnation, long sequence, Instant measuredAt, Duration observed, double cpu, int containers) {
        double level = cpu / containers;
        Map<Signal, Reading> readings =
                Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "scripted"));
        List<ContainerReport> reports = IntStream.range(0, containers)
                .mapToObj(i -> new ContainerReport("scripted_" + i, observed, false, readings))
                .toList();
        return new NodeReport(incarnation, sequence, measuredAt, reports);
    }

    @Override
    public synchronized ResourceUtilization getUtilization() {
        ResourceUtilizationPBImpl stock = (ResourceUtilizationPBImpl) ResourceUtilization.newInstance(0, 0, 0f);
        beat++;
        return payloads.apply(beat)
                .map(payload -> new ResourceUtilizationPBImpl(stock.getProto().toBuilder()
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        HeartbeatCodec.CARRIER_FIELD,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addLengthDelimited(ByteString.copyFrom(payload))
                                                .build())
                                .build())
                        .build()))
                .orElse(stock);
    }
}
