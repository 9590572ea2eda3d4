package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.FlowProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowReaderTest {
    private static final FlowProto FLOW = FlowProto.newBuilder()
            .setLocalAddress(bytes(4))
            .setLocalPort(65535)
            .setRemoteAddress(bytes(16))
            .setSent(Long.MAX_VALUE)
            .build();

    private static ByteString bytes(int count) {
        return ByteString.copyFrom(new byte[count]);
    }

    private static Decoded decoded(List<FlowProto> flows) {
        NodeReportProto report = NodeReportProto.newBuilder()
                .setSchemaVersion(2)
                .addShapes(ShapeProto.getDefaultInstance())
                .addContainers(ContainerProto.newBuilder().addAllFlows(flows))
                .build();
        return HeartbeatCodec.decode(report.toByteArray(), 1 << 20);
    }

    private static void malformed(FlowProto.Builder flow) {
        assertThat(decoded(List.of(flow.build())))
                .isInstanceOfSatisfying(Decoded.Rejected.class, rejected -> assertThat(rejected.rejection())
                        .isEqualTo(Decoded.Rejection.MALFORMED));
    }

    @Test
    void connectionIsReadAtBothEndsOfItsRange() {
        assertThat(decoded(List.of(FLOW))).isInstanceOfSatisfying(Decoded.Accepted.class, accepted -> assertThat(
                        accepted.report().containers().get(0).flows())
                .containsExactly(new Flow(Endpoint.ofIpv4(0, 65535), new Endpoint(0, 0, 0), Long.MAX_VALUE, 0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 15, 17})
    void addressOfAnotherLengthIsMalformed(int length) {
        malformed(FLOW.toBuilder().setLocalAddress(bytes(length)));
        malformed(FLOW.toBuilder().setRemoteAddress(bytes(length)));
    }

    @ParameterizedTest
    @ValueSource(ints = {65536, -1})
    void portThatIsNoneIsMalformed(int port) {
        malformed(FLOW.toBuilder().setLocalPort(port));
        malformed(FLOW.toBuilder().setRemotePort(port));
    }

    @Test
    void moreBytesThanAreCountedIsMalformed() {
        malformed(FLOW.toBuilder().setSent(-1));
        malformed(FLOW.toBuilder().setReceived(Long.MIN_VALUE));
    }

    @Test
    void sixteenConnectionsAreReadAndOneMoreIsNeitherReadNorWritten() {
        Flow flow = new Flow(Endpoint.ofIpv4(1, 1), Endpoint.ofIpv4(2, 2), 3, 4);
        ContainerReport container = new ContainerReport("c", Duration.ZERO, false, Map.of())
                .withFlows(Collections.nCopies(Flow.MOST + 1, flow));

        assertThat(decoded(Collections.nCopies(Flow.MOST, FLOW))).isInstanceOf(Decoded.Accepted.class);
        assertThat(decoded(Collections.nCopies(Flow.MOST + 1, FLOW))).isInstanceOf(Decoded.Rejected.class);
        assertThatThrownBy(() -> HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, List.of(container))))
                .hasMessage("17 connections, at most 16 are read");
    }

    @Test
    void loopbackIsToldFromOtherAddresses() {
        assertThat(Endpoint.ofIpv4(0x7f000001, 1).isLoopback()).isTrue();
        assertThat(Endpoint.ofIpv4(0x7fffffff, 1).isLoopback()).isTrue();
        assertThat(new Endpoint(0, 1, 1).isLoopback()).isTrue();
        assertThat(Endpoint.ofIpv4(0x80000001, 1).isLoopback()).isFalse();
        assertThat(Endpoint.ofIpv4(0xff000001, 1).isLoopback()).isFalse();
        assertThat(new Endpoint(1, 1, 1).isLoopback()).isFalse();
    }
}
