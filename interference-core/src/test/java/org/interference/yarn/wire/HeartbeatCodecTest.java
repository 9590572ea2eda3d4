package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;
import org.interference.yarn.wire.proto.StatusProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatCodecTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final KindProto CPU_OK = kind(Signal.CPU.id(), StatusProto.OK);
    private static final KindProto CPU_CLIPPED =
            CPU_OK.toBuilder().setClipped(true).build();
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
    void valuesTravelWithFiveDigits() {
        Reading.Measured sent = new Reading.Measured(0.1, 1 / 3.0, 1234.5678, false, "proc");

        NodeReport report = accepted(HeartbeatCodec.encode(NodeReports.oneContainerWith(Signal.CPU, sent)));

        Reading.Measured received =
                (Reading.Measured) report.containers().get(0).readings().get(Signal.CPU);
        assertThat(received.level()).isCloseTo(0.1, within(0.1 / 130_000));
        assertThat(received.mean()).isCloseTo(1 / 3.0, within(1 / 3.0 / 130_000));
        assertThat(received.raw()).isCloseTo(1234.5678, within(1234.5678 / 130_000));
    }

    /** What is kept for all nodes is small, whatever one of them says: also in a report that is refused. */
    @Test
    void layoutOfManyKindsIsNotKept() {
        KindProto nameless = CPU_OK.toBuilder().clearSource().build();
        int before = ReportDictionary.keptLayouts();
        for (int kinds = 10_000; kinds < 10_050; kinds++) {
            ShapeProto shape = ShapeProto.newBuilder()
                    .addAllKind(Collections.nCopies(kinds, 0))
                    .build();
            decode(report().addKinds(nameless).addShapes(shape).build().toByteArray());
        }

        assertThat(ReportDictionary.keptLayouts()).isEqualTo(before);
    }

    @Test
    void layoutOfOrdinaryReportsIsKeptOnce() {
        NodeReport report = NodeReports.random(new Random(1));
        decode(HeartbeatCodec.encode(report));
        int kept = ReportDictionary.keptLayouts();

        decode(HeartbeatCodec.encode(report));

        assertThat(kept).isPositive();
        assertThat(ReportDictionary.keptLayouts()).isEqualTo(kept);
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
        byte[] bytes = payload(List.of(kind(99, StatusProto.OK), CPU_CLIPPED), 9f, 9f, 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unknownStatusIsLeftOutAndTheNextOneKeepsItsValues() {
        KindProto ofANewerPeer = CPU_OK.toBuilder()
                .setSignal(Signal.BLK.id())
                .setStatusValue(77)
                .setClipped(true)
                .build();
        byte[] bytes = payload(List.of(ofANewerPeer, CPU_CLIPPED), 9f, 9f, 9f, 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unavailableSignalOfANewerPeerTakesNoValues() {
        byte[] bytes = payload(List.of(kind(99, StatusProto.UNAVAILABLE), CPU_CLIPPED), 0.25f, 0.5f, 0.75f);

        assertThat(onlyContainer(bytes).readings())
                .isEqualTo(Map.of(Signal.CPU, new Reading.Measured(0.25, 0.5, 0.75, false, "proc")));
    }

    @Test
    void unknownFieldsOfANewerPeerDoNoHarm() throws InvalidProtocolBufferException {
        NodeReport report = NodeReports.golden();
        NodeReportProto plain = NodeReportProto.parseFrom(HeartbeatCodec.encode(report));
        NodeReportProto.Builder extended =
                plain.toBuilder().clearContainers().clearKinds().clearShapes();
        for (ContainerProto container : plain.getContainersList()) {
            extended.addContainers(ContainerProto.parseFrom(withFieldOfANewerPeer(container.toByteArray())));
        }
        for (KindProto kind : plain.getKindsList()) {
            extended.addKinds(KindProto.parseFrom(withFieldOfANewerPeer(kind.toByteArray())));
        }
        for (ShapeProto shape : plain.getShapesList()) {
            extended.addShapes(ShapeProto.parseFrom(withFieldOfANewerPeer(shape.toByteArray())));
        }
        byte[] bytes = withFieldOfANewerPeer(extended.build().toByteArray());

        assertThat(decode(bytes)).isEqualTo(new Decoded.Accepted(report));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1000, -1})
    void otherSchemaVersionIsRejectedAndNamed(int version) {
        byte[] bytes =
                NodeReportProto.newBuilder().setSchemaVersion(version).build().toByteArray();

        assertThat(decode(bytes))
                .isEqualTo(new Decoded.Rejected(
                        Decoded.Rejection.UNKNOWN_VERSION, "schema version " + version + ", this reader knows 2"));
    }

    @ParameterizedTest
    @CsvSource({"NaN, 0, 0", "0, NaN, 0", "0, 0, NaN", "Infinity, 0, 0", "0, Infinity, 0", "0, 0, Infinity"})
    void oneImpossibleValueMakesTheReportMalformed(float level, float mean, float raw) {
        assertThat(rejection(payload(List.of(CPU_CLIPPED), level, mean, raw))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void levelThatNoFloatHoldsTravelsAsTheLargestThatThereIs() {
        Reading.Measured sent = new Reading.Measured(1e300, Float.MAX_VALUE, 1e300, false, "proc");

        NodeReport report = accepted(HeartbeatCodec.encode(NodeReports.oneContainerWith(Signal.CPU, sent)));

        Reading.Measured received =
                (Reading.Measured) report.containers().get(0).readings().get(Signal.CPU);
        assertThat(received.level()).isEqualTo(received.mean()).isGreaterThan(3.4e38);
    }

    @Test
    void fewerValuesThanReadingsIsMalformed() {
        assertThat(rejection(payload(List.of(CPU_CLIPPED), 0.5f, 0.5f))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE, -1})
    void kindThatIsNotThereIsMalformed(int index) {
        byte[] bytes = report().addKinds(CPU_OK)
                .addShapes(ShapeProto.newBuilder().addKind(index))
                .build()
                .toByteArray();

        assertThat(rejection(bytes)).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE, -1})
    void shapeThatIsNotThereIsMalformed(int index) {
        assertThat(rejection(reportOf(ContainerProto.newBuilder().setShape(index))))
                .isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void containerIdThatIsNotUtf8IsMalformed() {
        ContainerProto.Builder container =
                ContainerProto.newBuilder().setIdRest(ByteString.copyFrom(new byte[] {'c', (byte) 0xff}));

        assertThat(rejection(reportOf(container))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void containerIdMayHoldTheCharacterThatReplacesWhatIsNotUtf8() {
        assertThat(onlyContainer(reportOf(idRest("\uFFFD"))).container()).isEqualTo("\uFFFD");
    }

    @Test
    void containerIdGoesOnFromTheOneBefore() {
        NodeReport report = accepted(reportOf(idRest("container_1"), idRest("2").setIdShared(10), idRest("x")));

        assertThat(report.containers())
                .extracting(ContainerReport::container)
                .containsExactly("container_1", "container_2", "x");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, Integer.MAX_VALUE, -1})
    void moreOfTheIdBeforeThanThereIsIsMalformed(int shared) {
        assertThat(rejection(reportOf(idRest("container_1"), idRest("2").setIdShared(shared))))
                .isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a a", "b a b", "a b c a", "a b c b", "c b a c", "é f é"})
    void containerThatIsNamedTwiceIsMalformed(String ids) {
        ContainerProto.Builder[] containers =
                Stream.of(ids.split(" ")).map(HeartbeatCodecTest::idRest).toArray(ContainerProto.Builder[]::new);

        assertThat(rejection(reportOf(containers))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void sameIdIsFoundHoweverItIsWritten() {
        assertThat(rejection(reportOf(idRest("container_1"), idRest("").setIdShared(11))))
                .isEqualTo(Decoded.Rejection.MALFORMED);
        assertThat(rejection(reportOf(idRest("container_1"), idRest("1").setIdShared(10))))
                .isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b c", "c b a", "b a c", "a aa aaa", "aaa aa a"})
    void containersMayComeInAnyOrder(String ids) {
        String[] expected = ids.split(" ");
        ContainerProto.Builder[] containers =
                Stream.of(expected).map(HeartbeatCodecTest::idRest).toArray(ContainerProto.Builder[]::new);

        assertThat(accepted(reportOf(containers)).containers())
                .extracting(ContainerReport::container)
                .containsExactly(expected);
    }

    /** Else a few bytes a container could make each of many ids as long as a payload may be. */
    @Test
    void idOf255BytesIsReadAndOneByteMoreIsMalformed() {
        ContainerProto.Builder longest = idRest("c".repeat(255));

        assertThat(onlyContainer(reportOf(longest)).container()).hasSize(255);
        assertThat(rejection(reportOf(longest, idRest("c").setIdShared(255)))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void tenThousandContainersAreReadAndOneMoreIsMalformed() {
        ContainerProto.Builder[] containers = new ContainerProto.Builder[10_000];
        Arrays.setAll(containers, i -> idRest("c" + (i * 7919) % containers.length));
        byte[] most = reportOf(containers);
        byte[] oneMore = report().addContainers(idRest("d"))
                .mergeFrom(parsed(most))
                .build()
                .toByteArray();

        assertThat(accepted(most).containers()).hasSize(10_000);
        assertThat(rejection(oneMore)).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    @Test
    void reportThatNoReaderTakesIsNotEncoded() {
        ContainerReport tooLong = new ContainerReport("c".repeat(256), Duration.ZERO, false, Map.of());
        ContainerReport any = new ContainerReport("c", Duration.ZERO, false, Map.of());

        assertThatThrownBy(() -> HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, List.of(tooLong))))
                .hasMessage("a container id of 256 bytes, at most 255 are read");
        assertThatThrownBy(() ->
                        HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, Collections.nCopies(10_001, any))))
                .hasMessage("10001 containers, at most 10000 are read");
        assertThatThrownBy(() -> HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, List.of(any, any))))
                .hasMessage("c is named twice");
    }

    @Test
    void valuesThatAreNoWholeNumberAreMalformed() {
        ContainerProto.Builder container = ContainerProto.newBuilder().setValues(ByteString.copyFrom(new byte[4]));

        assertThat(rejection(reportOf(container))).isEqualTo(Decoded.Rejection.MALFORMED);
    }

    /** What protobuf allows every writer to do. */
    @Test
    void fieldsMayComeInAnyOrderAndTheLastOneCounts() {
        byte[] first = payload(List.of(CPU_CLIPPED), 0.25f, 0.5f, 0.75f);
        ByteArrayOutputStream reversed = new ByteArrayOutputStream();
        NodeReportProto parts = parsed(first);
        reversed.writeBytes(NodeReportProto.newBuilder()
                .setSequence(1)
                .addContainers(parts.getContainers(0))
                .build()
                .toByteArray());
        reversed.writeBytes(
                parts.toBuilder().clearContainers().setSequence(2).build().toByteArray());

        assertThat(accepted(reversed.toByteArray()).sequence()).isEqualTo(2);
        assertThat(onlyContainer(reversed.toByteArray())).isEqualTo(onlyContainer(first));
    }

    @Test
    void kindsOfAShapeMayComeOneByOneAndInPieces() {
        byte[] shape = {1 << 3, 0, (1 << 3) | 2, 2, 1, 0, 1 << 3, 1};
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(report().addKinds(CPU_OK)
                .addKinds(kind(99, StatusProto.UNAVAILABLE))
                .addContainers(ContainerProto.newBuilder().setValues(ByteString.copyFrom(new byte[12])))
                .build()
                .toByteArray());
        bytes.write((7 << 3) | 2);
        bytes.write(shape.length);
        bytes.writeBytes(shape);

        assertThat(onlyContainer(bytes.toByteArray()).readings()).containsOnlyKeys(Signal.CPU);
    }

    @Test
    void containersOfOneProgramShareOneShape() {
        Map<Signal, Reading> readings = Map.of(Signal.CPU, new Reading.Measured(0.5, 0.5, 0.5, false, "proc"));
        Optional<LaunchSignature> map = Optional.of(new LaunchSignature(1));
        Optional<LaunchSignature> reduce = Optional.of(new LaunchSignature(2));
        List<Optional<LaunchSignature>> launches = List.of(map, reduce, map, reduce, map);
        List<ContainerReport> containers = IntStream.range(0, launches.size())
                .mapToObj(i -> new ContainerReport("c" + i, Duration.ZERO, false, readings, launches.get(i)))
                .toList();

        byte[] bytes = HeartbeatCodec.encode(new NodeReport(1, 1, Instant.EPOCH, containers));

        assertThat(parsed(bytes).getShapesList()).hasSize(2);
        assertThat(accepted(bytes).containers()).isEqualTo(containers);
    }

    @Test
    void containersWithDifferentKindsKeepTheirOwn() {
        NodeReport sent = NodeReports.golden();

        NodeReport received = accepted(HeartbeatCodec.encode(sent));

        assertThat(received.containers().get(0).readings()).containsOnlyKeys(Signal.CPU);
        assertThat(received.containers().get(1).readings())
                .containsOnlyKeys(sent.containers().get(1).readings().keySet());
        assertThat(received.containers().get(1).newest())
                .isEqualTo(sent.containers().get(1).newest());
    }

    @Test
    void negativeTimeObservedIsMalformed() {
        assertThat(rejection(reportOf(ContainerProto.newBuilder().setObservedMs(-1))))
                .isEqualTo(Decoded.Rejection.MALFORMED);
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
        return NodeReportProto.newBuilder().setSchemaVersion(2);
    }

    private static ContainerProto.Builder idRest(String rest) {
        return ContainerProto.newBuilder().setIdRest(ByteString.copyFromUtf8(rest));
    }

    /** Containers of which nothing is measured, unless they say so. */
    private static byte[] reportOf(ContainerProto.Builder... containers) {
        NodeReportProto.Builder report = report().addShapes(ShapeProto.getDefaultInstance());
        for (ContainerProto.Builder container : containers) {
            report.addContainers(container);
        }
        return report.build().toByteArray();
    }

    private static NodeReportProto parsed(byte[] bytes) {
        try {
            return NodeReportProto.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
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
        ShapeProto.Builder shape = ShapeProto.newBuilder();
        for (int i = 0; i < kinds.size(); i++) {
            shape.addKind(i);
        }
        ByteBuffer bytes = ByteBuffer.allocate(3 * values.length);
        for (float value : values) {
            int sent = Float.floatToRawIntBits(value) >> 7;
            bytes.put((byte) sent).put((byte) (sent >> 8)).put((byte) (sent >> 16));
        }
        return report().addAllKinds(kinds)
                .addShapes(shape)
                .addContainers(idRest("container_1").setValues(ByteString.copyFrom(bytes.array())))
                .build()
                .toByteArray();
    }

    private static byte[] withFieldOfANewerPeer(byte[] bytes) {
        ByteArrayOutputStream extended = new ByteArrayOutputStream();
        extended.writeBytes(bytes);
        extended.writeBytes(FIELD_OF_A_NEWER_PEER);
        return extended.toByteArray();
    }
}
