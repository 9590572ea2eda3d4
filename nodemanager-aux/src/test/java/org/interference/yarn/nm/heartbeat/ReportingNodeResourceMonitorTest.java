package org.interference.yarn.nm.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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

    private final FakeMonitor stock = new FakeMonitor();
    private final Failures failures = new Failures(LoggerFactory.getLogger(ReportingNodeResourceMonitorTest.class));

    @Test
    void reportSurvivesTheWireBesideTheStockUtilization() throws InvalidProtocolBufferException {
        ResourceUtilization sent = monitor(() -> Optional.of(REPORT), LIMIT).getUtilization();

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
        monitor(() -> Optional.of(REPORT), LIMIT).getUtilization();
        monitor(() -> Optional.of(REPORT), LIMIT).getUtilization();

        assertThat(((ResourceUtilizationPBImpl) stock.utilization)
                        .getProto()
                        .getUnknownFields()
                        .asMap())
                .isEmpty();
        assertThat(stock.utilization.getCustomResources()).hasSize(1);
    }

    @Test
    void withoutAReportTheUtilizationIsTheStockOne() {
        assertThat(monitor(Optional::empty, LIMIT).getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isZero();
    }

    @Test
    void supplierThatThrowsLeavesTheUtilizationStockAndIsCounted() {
        ReportingNodeResourceMonitor monitor = monitor(
                () -> {
                    throw new LinkageError("broken jar");
                },
                LIMIT);

        assertThat(monitor.getUtilization()).isSameAs(stock.utilization);
        assertThat(monitor.getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isEqualTo(2);
    }

    @Test
    void reportOverTheLimitIsNotSentAndIsCounted() {
        assertThat(monitor(() -> Optional.of(REPORT), 10).getUtilization()).isSameAs(stock.utilization);
        assertThat(failures.total()).isEqualTo(1);
    }

    private ReportingNodeResourceMonitor monitor(Supplier<Optional<NodeReport>> newest, int limit) {
        return new ReportingNodeResourceMonitor(null, stock, newest, limit, failures);
    }

    private static byte[] payload(ResourceUtilizationProto proto) {
        return proto.getUnknownFields()
                .getField(HeartbeatCodec.CARRIER_FIELD)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    private static final class FakeMonitor extends AbstractService implements NodeResourceMonitor {
        private final ResourceUtilization utilization =
                ResourceUtilization.newInstance(1024, 2048, 1.5f, Map.of("gpu", 0.5f));

        FakeMonitor() {
            super("FakeMonitor");
        }

        @Override
        public ResourceUtilization getUtilization() {
            return utilization;
        }
    }
}
