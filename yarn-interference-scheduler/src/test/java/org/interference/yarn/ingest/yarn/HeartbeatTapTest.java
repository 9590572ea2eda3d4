package org.interference.yarn.ingest.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceUtilizationProto;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.ingest.Mailbox;
import org.junit.jupiter.api.Test;

class HeartbeatTapTest {
    private static final NodeId NODE = NodeId.newInstance("node-1", 8041);
    private static final int CARRIER = 19701;

    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {});
    private final HeartbeatTap tap =
            new HeartbeatTap(ingest, new Mailbox(ingest, Runnable::run), InstantSource.fixed(T0));

    @Test
    void payloadReachesTheNodeThatSentIt() throws InvalidProtocolBufferException {
        tap.handle(status(carrying(CARRIER, heartbeat(3, running("container_1", Vectors.cpu(0.5))))));

        assertThat(ingest.newest("node-1:8041")).hasValueSatisfying(sample -> {
            assertThat(sample.report().sequence()).isEqualTo(3);
            assertThat(sample.receivedAt()).isEqualTo(T0);
            assertThat(sample.running()).containsOnlyKeys("container_1");
        });
        assertThatOnly(IngestOutcome.ACCEPTED);
    }

    @Test
    void garbageIsCountedAndIgnored() throws InvalidProtocolBufferException {
        tap.handle(status(carrying(CARRIER, new byte[] {1, 2, 3})));

        assertThat(ingest.all()).isEmpty();
        assertThatOnly(IngestOutcome.MALFORMED);
    }

    @Test
    void heartbeatOfAStockNodeManagerIsNotCounted() {
        tap.handle(status(ResourceUtilization.newInstance(1024, 2048, 0.5f)));

        assertThat(ingest.outcomes().values()).containsOnly(0L);
    }

    @Test
    void heartbeatWithoutUtilizationIsNotCounted() {
        tap.handle(status(null));

        assertThat(ingest.outcomes().values()).containsOnly(0L);
    }

    @Test
    void fieldOfSomebodyElseIsNotCounted() throws InvalidProtocolBufferException {
        tap.handle(status(carrying(CARRIER + 1, heartbeat(3))));

        assertThat(ingest.outcomes().values()).containsOnly(0L);
    }

    @Test
    void twoPayloadsInOneHeartbeatAreMalformed() throws InvalidProtocolBufferException {
        tap.handle(status(carrying(CARRIER, heartbeat(3), heartbeat(4))));

        assertThat(ingest.all()).isEmpty();
        assertThatOnly(IngestOutcome.MALFORMED);
    }

    @Test
    void oversizedPayloadIsNeitherCopiedNorPosted() throws InvalidProtocolBufferException {
        HeartbeatTap tap = new HeartbeatTap(
                ingest,
                new Mailbox(ingest, work -> {
                    throw new AssertionError("posted");
                }),
                InstantSource.fixed(T0));

        tap.handle(status(carrying(CARRIER, new byte[4097])));

        assertThatOnly(IngestOutcome.OVERSIZED);
    }

    @Test
    void heartbeatAgesFromItsArrivalHoweverLateItIsDecoded() throws InvalidProtocolBufferException {
        List<Runnable> decoding = new ArrayList<>();
        Instant[] clock = {T0};
        HeartbeatTap tap = new HeartbeatTap(ingest, new Mailbox(ingest, decoding::add), () -> clock[0]);
        tap.handle(status(carrying(CARRIER, heartbeat(3))));

        clock[0] = T0.plusSeconds(4);
        decoding.forEach(Runnable::run);

        assertThat(ingest.newest("node-1:8041").orElseThrow().receivedAt()).isEqualTo(T0);
    }

    @Test
    void eventThatIsNoHeartbeatIsIgnored() {
        tap.handle(new RMNodeEvent(NODE, RMNodeEventType.EXPIRE));

        assertThat(ingest.outcomes().values()).containsOnly(0L);
    }

    @Test
    void failureOfOurOwnDoesNotReachTheDispatcher() throws InvalidProtocolBufferException {
        HeartbeatTap withoutAClock = new HeartbeatTap(ingest, new Mailbox(ingest, Runnable::run), () -> {
            throw new AssertionError("the clock is broken");
        });

        withoutAClock.handle(status(carrying(CARRIER, heartbeat(3))));

        assertThatOnly(IngestOutcome.FAILED);
    }

    private void assertThatOnly(IngestOutcome outcome) {
        assertThat(ingest.outcomes())
                .allSatisfy(
                        (counted, count) -> assertThat(count).as("%s", counted).isEqualTo(counted == outcome ? 1 : 0));
    }

    private static RMNodeStatusEvent status(ResourceUtilization nodeUtilization) {
        NodeHealthStatus healthy = NodeHealthStatus.newInstance(true, "", T0.toEpochMilli());
        return new RMNodeStatusEvent(
                NODE,
                NodeStatus.newInstance(
                        NODE, 1, List.of(), List.of(), healthy, nodeUtilization, nodeUtilization, List.of()));
    }

    /** A utilization as it arrives over RPC: the field is one that ResourceUtilizationProto does not know. */
    private static ResourceUtilization carrying(int number, byte[]... payloads) throws InvalidProtocolBufferException {
        UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
        for (byte[] payload : payloads) {
            field.addLengthDelimited(ByteString.copyFrom(payload));
        }
        ResourceUtilizationProto sent = ResourceUtilizationProto.newBuilder()
                .setPmem(1024)
                .setVmem(2048)
                .setCpu(0.5f)
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(number, field.build())
                        .build())
                .build();
        return new ResourceUtilizationPBImpl(ResourceUtilizationProto.parseFrom(sent.toByteArray()));
    }
}
