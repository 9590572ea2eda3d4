package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.StatusProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatCodecTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final KindProto CPU_OK = kind(Signal.CPU.id(), StatusProto.OK);
    /** Field 99, length-delimited, three bytes: what a newer peer might add anywhere. */
    private static final byte[] FIELD_OF_A_NEWER_PEER = {(byte) 0x9a, 0x06, 3, 1, 2, 3};

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void roundTripKeepsEveryField(long seed) {
        NodeReport report = NodeReports.random(new Random(seed));

        Decoded decoded = decode(HeartbeatCodec.encode(report));

        assertThat(decoded).isEqualTo(new Decoded.Accepted(report));
    }

    @Test
    void valuesTravelWithThePrecisionOfAFloat() {
        Reading.Measured sent = new Reading.Measured(0.1, 1 / 3.0, 1234.5678, false, "proc");

        NodeReport report = accepted(HeartbeatCodec.encode(NodeReports.oneContainerWith(Signal.CPU, sent)));

        Reading.Measured received =
                (Reading.Measured) report.containers().get(0).readings().get(Signal.CPU);
        assertThat(received.level()).isCloseTo(0.1, within(1e-8));
        assertThat(received.mean()).isCloseTo(1 / 3.0, within(1e-7));
        assertThat(received.raw()).isCloseTo(1234.5678, within(1e-4));
    }

    @Test
    void timesTravelInWholeMilliseconds() {
        NodeReport sent = new NodeReport(1, 1, Instant.parse("2024-05-06T07:08:09.123456789Z"), List.of());

        NodeReport received = accepted(HeartbeatCodec.encode(sent));

        assertThat(received.measuredAt()).isEqualTo(Instant.parse("2024-05-06T07:08:09.123Z"));
    }

    @Test
    void kindIsWrittenOnceHoweverManyContainersNameIt() throws InvalidProtocolBufferException {
        Map<Signal, Reading> readings = Map.of(
                Signal.CPU,
                new Reading.Measured(0.5, 0.5, 0.5, false, "proc"),
                Signal.MBW,
                new Reading.Unavailable("no PMU", "ebpf"));
        List<ContainerReport> containers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            containers.add(new ContainerReport("container_" + i, Duration.ofSeconds(i), false, readings));
        }

        byte[] bytes = HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, containers));

        assertThat(NodeReportProto.parseFrom(bytes).getKindsList()).hasSize(2);
    }

    @Test
    void unknownSignalIsLeftOutAndTheNextOneKeepsItsValues() {
        byte[] bytes = payload(List.of(kind(99, StatusProto.OK), CPU_OK), 9f, 9f, 9f, 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unknownStatusIsLeftOutAndTheNextOneKeepsItsValues() {
        KindProto ofANewerPeer =
                CPU_OK.toBuilder().setSignal(Signal.BLK.id()).setStatusValue(77).build();
        byte[] bytes = payload(List.of(ofANewerPeer, CPU_OK), 9f, 9f, 9f, 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unavailableSignalOfANewerPeerTakesNoValues() {
        byte[] bytes = payload(List.of(kind(99, StatusProto.UNAVAILABLE), CPU_OK), 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unknownFieldsOfANewerPeerDoNoHarm() throws InvalidProtocolBufferException {
        NodeReport report = NodeReports.golden();
        NodeReportProto plain = NodeReportProto.parseFrom(HeartbeatCodec.encode(report));
        NodeReportProto.Builder extended = plain.toBuilder().clearContainers().clearKinds();
        for (ContainerProto container : plain.getContainersList()) {
            extended.addContainers(ContainerProto.parseFrom(withFieldOfANewerPeer(container.toByteArray())));
        }
        for (KindProto kind : plain.getKindsList()) {
            extended.addKinds(KindProto.parseFrom(withFieldOfANewerPeer(kind.toByteArray())));
        }
        byte[] bytes = withFieldOfANewerPeer(extended.build().toByteArray());

        assertThat(decode(bytes)).isEqualTo(new Decoded.Accepted(report));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1000, -1})
    void otherSchemaVersionIsRejectedAndNamed(int version) {
        byte[] bytes =
                NodeReportProto.newBuilder().setSchemaVersion(version).build().toByteArray();

        assertThat(decode(bytes))
                .isEqualTo(new Decoded.Rejected(
                        Decoded.Rejection.UNKNOWN_VERSION, "schema version " + version + ", this reader knows 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, 0, 0", "0, NaN, 0", "0, 0, NaN",
        "-0.5, 0, 0", "0, -0.5, 0", "0, 0, -0.5",
        "Infinity, 0, 0", "0, Infinity, 0", "0, 0, -Infinity"
    })
    void oneImpossibleValueMakesTheReportMalformed(float level, float mean, float raw) {
        assertThat(rejection(payload(List.of(CPU_OK), level, mean, raw))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void fewerValuesThanReadingsIsMalformed() {
        assertThat(rejection(payload(List.of(CPU_OK), 0.5f, 0.5f))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE, -1})
    void kindThatIsNotThereIsMalformed(int index) {
        byte[] bytes = report().addKinds(CPU_OK)
                .addContainers(ContainerProto.newBuilder().addKind(index))
                .build()
                .toByteArray();

        assertThat(rejection(bytes)).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void containerIdThatIsNotUtf8IsMalformed() {
        byte[] bytes = payload(List.of(CPU_OK), 0.25f, 0.5f, 0.75f);
        bytes[indexOf(bytes, "container_1")] = (byte) 0xff;

        assertThat(rejection(bytes)).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void containerIdMayHoldTheCharacterThatReplacesWhatIsNotUtf8() {
        byte[] bytes = report().addContainers(ContainerProto.newBuilder().setId("\uFFFD"))
                .build()
                .toByteArray();

        assertThat(onlyContainer(bytes).container()).isEqualTo("\uFFFD");
    }

    @Test
    void valuesThatAreNoWholeNumberOfFloatsAreMalformed() {
        byte[] container = {(5 << 3) | 2, 3, 0, 0, 0};

        assertThat(rejection(reportWith(container))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    /** What protobuf allows every writer to do. */
    @Test
    void repeatedFieldsMayComeOneByOneAndInPieces() {
        ByteArrayOutputStream container = new ByteArrayOutputStream();
        container.writeBytes(new byte[] {4 << 3, 0});
        container.writeBytes(new byte[] {(5 << 3) | 5, 0, 0, (byte) 0x80, 0x3e});
        container.writeBytes(new byte[] {(5 << 3) | 2, 8, 0, 0, 0, 0x3f, 0, 0, 0x40, 0x3f});

        assertThat(onlyContainer(reportWith(container.toByteArray())).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void containersWithDifferentKindsKeepTheirOwn() {
        NodeReport sent = NodeReports.golden();

        NodeReport received = accepted(HeartbeatCodec.encode(sent));

        assertThat(received.containers().get(0).readings()).containsOnlyKeys(Signal.CPU);
        assertThat(received.containers().get(1).readings()).containsOnlyKeys(Signal.values());
        assertThat(received.containers().get(1).newest())
                .isEqualTo(sent.containers().get(1).newest());
    }

    @Test
    void negativeTimeObservedIsMalformed() {
        byte[] bytes = report().addContainers(ContainerProto.newBuilder().setObservedMs(-1))
                .build()
                .toByteArray();

        assertThat(rejection(bytes)).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void payloadOfExactlyTheLimitIsReadAndOneByteMoreIsNot() {
        byte[] bytes = HeartbeatCodec.encode(NodeReports.golden());

        assertThat(HeartbeatCodec.decode(bytes, bytes.length)).isInstanceOf(Decoded.Accepted.class);
        assertThat(HeartbeatCodec.decode(bytes, bytes.length - 1))
                .isEqualTo(new Decoded.Rejected(
                        Decoded.Rejection.OVERSIZED,
                        "%d bytes, at most %d are read".formatted(bytes.length, bytes.length - 1)));
    }

    private static Decoded decode(byte[] bytes) {
        return HeartbeatCodec.decode(bytes, MAX_BYTES);
    }

    private static NodeReport accepted(byte[] bytes) {
        Decoded decoded = decode(bytes);
        assertThat(decoded).isInstanceOf(Decoded.Accepted.class);
        return ((Decoded.Accepted) decoded).report();
    }

    private static Decoded.Rejection rejection(byte[] bytes) {
        Decoded decoded = decode(bytes);
        assertThat(decoded).isInstanceOf(Decoded.Rejected.class);
        return ((Decoded.Rejected) decoded).rejection();
    }

    private static ContainerReport onlyContainer(byte[] bytes) {
        assertThat(accepted(bytes).containers()).hasSize(1);
        return accepted(bytes).containers().get(0);
    }

    private static NodeReportProto.Builder report() {
        return NodeReportProto.newBuilder().setSchemaVersion(1);
    }

    private static KindProto kind(int signal, StatusProto status) {
        return KindProto.newBuilder()
                .setSignal(signal)
                .setStatus(status)
                .setSource("proc")
                .build();
    }

    /** One container that names every one of {@code kinds} once. */
    private static byte[] payload(List<KindProto> kinds, float... values) {
        ContainerProto.Builder container = ContainerProto.newBuilder().setId("container_1");
        for (int i = 0; i < kinds.size(); i++) {
            container.addKind(i);
        }
        for (float value : values) {
            container.addValues(value);
        }
        return report().addAllKinds(kinds).addContainers(container).build().toByteArray();
    }

    /** A report of one container, given as its bytes, and the kind {@link #CPU_OK}. */
    private static byte[] reportWith(byte[] container) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(report().addKinds(CPU_OK).build().toByteArray());
        bytes.write((5 << 3) | 2);
        bytes.write(container.length);
        bytes.writeBytes(container);
        return bytes.toByteArray();
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    private static byte[] withFieldOfANewerPeer(byte[] bytes) {
        ByteArrayOutputStream extended = new ByteArrayOutputStream();
        extended.writeBytes(bytes);
        extended.writeBytes(FIELD_OF_A_NEWER_PEER);
        return extended.toByteArray();
    }
}
