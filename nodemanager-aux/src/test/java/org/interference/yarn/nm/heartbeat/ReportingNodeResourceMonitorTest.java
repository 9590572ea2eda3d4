package org.interference.yarn.nm.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceUtilizationProto;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.Decoded;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ReportingNodeResourceMonitorTest {
    private static final int LIMIT = 1 << 20;

    private static final NodeReport REPORT = new NodeReport(
            1_000,
            7,
            Instant.ofEpochMilli(2_000),
            List.of(new ContainerReport(
                    "container_1_0001_01_000001",
                    Duration.ofSeconds(3),
                    false,
                    Map.of(Signal.CPU, new Reading.Measured(0.5, 0.25, 0.5, false, "proc")))));

    private final FakeMonitor stock =
            new FakeMonitor(ResourceUtilization.newInstance(1024, 2048, 1.5f, Map.of("gpu", 0.5f)));
    private final Failures failures = new Failures(LoggerFactory.getLogger(ReportingNodeResourceMonitorTest.class));

    @Test
    void reportSurvivesTheWireBesideTheStockUtilization() throws InvalidProtocolBufferException {
        ResourceUtilization sent = monitor(REPORT, LIMIT).getUtilization();

        ResourceUtilizationProto received = ResourceUtilizationProto.parseFrom(
                ((ResourceUtilizationPBImpl) sent).getProto().toByteArray());

        assertThat(HeartbeatCodec.decode(payload(received), LIMIT)).isEqualTo(new Decoded.Accepted(REPORT));
        ResourceUtilization utilization = new ResourceUtilizationPBImpl(received);
        assertThat(utilization.getPhysicalMemory()).isEqualTo(1024);
        assertThat(utilization.getVirtualMemory()).isEqualTo(2048);
        assertThat(utilization.getCPU()).isEqualTo(1.5f);
        assertThat(utilization.getCustomResources()).isEqualTo(Map.of("gpu", 0.5f));
    }

    @Test
    void stockUtilizationIsNotTouched() {
        monitor(REPORT, LIMIT).getUtilization();
        monitor(REPORT, LIMIT).getUtilization();

        assertThat(((ResourceUtilizationPBImpl) stock.utilization)
                        .getProto()
                        .getUnknownFields()
                        .asMap())
                .isEmpty();
        assertThat(stock.utilization.getCustomResources()).hasSize(1);
    }

    @Test
    void withoutAReportTheUtilizationIsTheStockOne() {
        ReportPayload payload = new ReportPayload(LIMIT, failures);
        ReportingNodeResourceMonitor monitor = new ReportingNodeResourceMonitor(null, stock, payload, failures);

        assertThat(monitor.getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isZero();
    }

    /** What is not fresh is not sent. */
    @Test
    void afterAFailedSampleTheUtilizationIsTheStockOneAgain() {
        ReportPayload payload = new ReportPayload(LIMIT, failures);
        ReportingNodeResourceMonitor monitor = new ReportingNodeResourceMonitor(null, stock, payload, failures);
        payload.accept(Optional.of(REPORT));
        assertThat(monitor.getUtilization()).isNotSameAs(stock.utilization);

        payload.accept(Optional.empty());

        assertThat(monitor.getUtilization()).isSameAs(stock.utilization);
    }

    @Test
    void reportThatCannotBeEncodedLeavesTheUtilizationStockAndIsCounted() {
        ContainerReport idTooLong = new ContainerReport("c".repeat(300), Duration.ZERO, false, Map.of());

        ReportingNodeResourceMonitor monitor = monitor(new NodeReport(1, 1, Instant.EPOCH, List.of(idTooLong)), LIMIT);

        assertThat(monitor.getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isEqualTo(1);
    }

    @Test
    void utilizationThatCannotCarryItGoesOutAsItIsAndIsCounted() {
        FakeMonitor none = new FakeMonitor(null);
        ReportPayload payload = new ReportPayload(LIMIT, failures);
        payload.accept(Optional.of(REPORT));

        ReportingNodeResourceMonitor monitor = new ReportingNodeResourceMonitor(null, none, payload, failures);

        assertThat(monitor.getUtilization()).isNull();
        assertThat(failures.total()).isEqualTo(1);
    }

    @Test
    void reportOverTheLimitIsNotSentAndIsCounted() {
        assertThat(monitor(REPORT, 10).getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isEqualTo(1);
    }

    private ReportingNodeResourceMonitor monitor(NodeReport report, int limit) {
        ReportPayload payload = new ReportPayload(limit, failures);
        payload.accept(Optional.of(report));
        return new ReportingNodeResourceMonitor(null, stock, payload, failures);
    }

    private static byte[] payload(ResourceUtilizationProto proto) {
        return proto.getUnknownFields()
                .getField(HeartbeatCodec.CARRIER_FIELD)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    private static final class FakeMonitor extends AbstractService implements NodeResourceMonitor {
        private final ResourceUtilization utilization;

        FakeMonitor(ResourceUtilization utilization) {
            super("FakeMonitor");
            this.utilization = utilization;
        }

        @Override
        public ResourceUtilization getUtilization() {
            return utilization;
        }
    }
}
