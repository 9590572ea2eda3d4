package org.interference.yarn.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.Untold;
import org.interference.yarn.signal.WorkClass;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.ControlProto;
import org.interference.yarn.wire.proto.FlowProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;
import org.interference.yarn.wire.proto.StatusProto;

/**
 * Reads reports with protobuf's two parsers for generated classes: slow, obviously right, and what {@link
 * HeartbeatReader} must agree with.
 *
 * <p>The two differ on what nobody writes: the one over an array takes numbers of more than 64 bits otherwise, and the one
 * over a stream reads an index behind a packed list that is empty. Where they differ, agreeing with one of them will do, or with the one
 * over a stream without the lists that are empty, as both may be in one report.
 */
final class GeneratedReader {
    private static final int BYTES_PER_VALUE = 3;
    private static final int MOST_CONTAINERS = 10_000;
    private static final int LONGEST_ID = 255;
    private static final int MOST_FLOWS = 16;

    private GeneratedReader() {}

    /** Returns what each of the two makes of {@code bytes}, whatever the version; empty where they are malformed to it. */
    static Set<Optional<NodeReport>> read(byte[] bytes) {
        Optional<NodeReport> streamed = read(() -> NodeReportProto.parseFrom(CodedInputStream.newInstance(bytes)));
        Optional<NodeReport> parsed = read(() -> NodeReportProto.parseFrom(bytes));
        return streamed.equals(parsed)
                ? Set.of(parsed)
                : Set.copyOf(List.of(
                        streamed,
                        parsed,
                        read(() -> NodeReportProto.parseFrom(CodedInputStream.newInstance(withoutEmptyLists(bytes))))));
    }

    /** Returns the report without lists of kinds that are empty, which mean nothing. */
    private static byte[] withoutEmptyLists(byte[] bytes) throws IOException {
        return copy(
                bytes,
                NodeReportProto.SHAPES_FIELD_NUMBER,
                shape -> Optional.of(copy(shape, ShapeProto.KIND_FIELD_NUMBER, list -> Optional.of(list)
                        .filter(some -> some.length > 0))));
    }

    /** What becomes of a field; empty if it is left out. */
    private interface Change {
        Optional<byte[]> of(byte[] field) throws IOException;
    }

    /** Returns a message in which each field of that number that has a length is changed. */
    private static byte[] copy(byte[] message, int number, Change change) throws IOException {
        int changed = number << 3 | 2;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream output = CodedOutputStream.newInstance(bytes);
        CodedInputStream input = CodedInputStream.newInstance(message);
        int begin = 0;
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            if (tag == changed) {
                Optional<byte[]> next = change.of(input.readByteArray());
                if (next.isPresent()) {
                    output.writeUInt32NoTag(tag);
                    output.writeByteArrayNoTag(next.get());
                }
            } else if (input.skipField(tag)) {
                output.writeRawBytes(message, begin, input.getTotalBytesRead() - begin);
            }
            begin = input.getTotalBytesRead();
        }
        output.flush();
        return bytes.toByteArray();
    }

    private interface Parser {
        NodeReportProto parse() throws IOException;
    }

    private static Optional<NodeReport> read(Parser parser) {
        try {
            return Optional.of(decode(parser.parse()));
        } catch (IOException | IllegalArgumentException | NoSuchElementException e) {
            return Optional.empty();
        }
    }

    private static NodeReport decode(NodeReportProto proto) {
        for (ShapeProto shape : proto.getShapesList()) {
            shape.getKindList().forEach(index -> requireIndex(index, proto.getKindsCount()));
        }
        if (proto.getContainersCount() > MOST_CONTAINERS) {
            throw new IllegalArgumentException("too many containers");
        }
        List<ContainerReport> containers = new ArrayList<>(proto.getContainersCount());
        byte[] id = {};
        for (ContainerProto container : proto.getContainersList()) {
            id = id(container, id);
            containers.add(decode(container, ByteString.copyFrom(id), proto));
        }
        for (int i = 0; i < containers.size(); i++) {
            ContainerReport container = containers.get(i);
            containers.set(
                    i,
                    container.with(
                            preemptors(proto.getContainers(i).getPreemptors().toByteArray(), containers)));
        }
        if (containers.stream().map(ContainerReport::container).distinct().count() < containers.size()) {
            throw new IllegalArgumentException("one id twice");
        }
        return new NodeReport(
                proto.getIncarnation(),
                proto.getSequence(),
                Instant.ofEpochMilli(proto.getMeasuredAtMs()),
                containers,
                new NodeFigures(
                        state(proto.getFigures().toByteArray()),
                        untold(proto.getUntold().toByteArray())));
    }

    private static List<Preemptor> preemptors(byte[] bytes, List<ContainerReport> containers) {
        List<Preemptor> preemptors = new ArrayList<>();
        if (bytes.length % (2 + BYTES_PER_VALUE) != 0 || bytes.length > 4 * (2 + BYTES_PER_VALUE)) {
            throw new IllegalArgumentException("no list of preemptors");
        }
        for (int i = 0; i < bytes.length; i += 2 + BYTES_PER_VALUE) {
            int number = (bytes[i] & 0xff) | (bytes[i + 1] & 0xff) << 8;
            if (number > containers.size()) {
                throw new IllegalArgumentException("no such container");
            }
            int bits = (bytes[i + 2] & 0xff) << 7 | (bytes[i + 3] & 0xff) << 15 | (bytes[i + 4] & 0xff) << 23;
            Optional<String> container = number == 0
                    ? Optional.empty()
                    : Optional.of(containers.get(number - 1).container());
            preemptors.add(new Preemptor(container, Float.intBitsToFloat(bits)));
        }
        return preemptors;
    }

    private static Map<NodeMetric, Double> state(byte[] bytes) {
        if (bytes.length % (1 + BYTES_PER_VALUE) != 0) {
            throw new IllegalArgumentException("a value is cut off");
        }
        Map<NodeMetric, Double> values = new EnumMap<>(NodeMetric.class);
        for (int i = 0; i < bytes.length; i += 1 + BYTES_PER_VALUE) {
            int bits = (bytes[i + 1] & 0xff) << 7 | (bytes[i + 2] & 0xff) << 15 | (bytes[i + 3] & 0xff) << 23;
            double value = Float.intBitsToFloat(bits);
            Optional<NodeMetric> metric = NodeMetric.ofId(bytes[i] & 0xff);
            if (metric.isPresent()) {
                values.put(metric.get(), value);
            }
        }
        return values;
    }

    private static Map<NodeMetric, Untold> untold(byte[] bytes) {
        if (bytes.length % 2 != 0) {
            throw new IllegalArgumentException("a reason is cut off");
        }
        Map<NodeMetric, Untold> untold = new EnumMap<>(NodeMetric.class);
        for (int i = 0; i < bytes.length; i += 2) {
            Optional<NodeMetric> metric = NodeMetric.ofId(bytes[i] & 0xff);
            Optional<Untold> reason = Untold.ofId(bytes[i + 1] & 0xff);
            if (metric.isPresent() && reason.isPresent()) {
                untold.put(metric.get(), reason.get());
            }
        }
        return untold;
    }

    private static byte[] id(ContainerProto proto, byte[] before) {
        if (proto.getIdShared() < 0
                || proto.getIdShared() > before.length
                || (long) proto.getIdShared() + proto.getIdRest().size() > LONGEST_ID) {
            throw new IllegalArgumentException("no such id");
        }
        return ByteString.copyFrom(before, 0, proto.getIdShared())
                .concat(proto.getIdRest())
                .toByteArray();
    }

    private static ContainerReport decode(ContainerProto proto, ByteString id, NodeReportProto report) {
        requireIndex(proto.getShape(), report.getShapesCount());
        if (!id.isValidUtf8() || proto.getObservedMs() < 0 || proto.getValues().size() % BYTES_PER_VALUE != 0) {
            throw new IllegalArgumentException("%s is no container".formatted(id));
        }
        ShapeProto shape = report.getShapes(proto.getShape());
        EnumMap<Signal, Reading> readings = new EnumMap<>(Signal.class);
        Iterator<Float> values = values(proto.getValues());
        for (int index : shape.getKindList()) {
            KindProto kind = report.getKinds(index);
            reading(kind, values).ifPresent(reading -> Signal.ofId(kind.getSignal())
                    .ifPresent(signal -> readings.put(signal, reading)));
        }
        Optional<LaunchSignature> launch = shape.hasLaunchSignature()
                ? Optional.of(new LaunchSignature(shape.getLaunchSignature()))
                : Optional.empty();
        return new ContainerReport(
                id.toStringUtf8(),
                Duration.ofMillis(proto.getObservedMs()),
                proto.getEnded(),
                readings,
                launch,
                proto.hasControl() ? Optional.of(decode(proto.getControl())) : Optional.empty(),
                List.of(),
                flows(proto.getFlowsList()));
    }

    private static List<Flow> flows(List<FlowProto> protos) {
        if (protos.size() > MOST_FLOWS) {
            throw new IllegalArgumentException("too many connections");
        }
        return protos.stream()
                .map(proto -> new Flow(
                        endpoint(proto.getLocalAddress(), proto.getLocalPort()),
                        endpoint(proto.getRemoteAddress(), proto.getRemotePort()),
                        proto.getSent(),
                        proto.getReceived()))
                .toList();
    }

    private static Endpoint endpoint(ByteString address, int port) {
        byte[] whole = new byte[16];
        if (address.size() == 4) {
            whole[10] = whole[11] = (byte) 0xff;
        } else if (address.size() != whole.length) {
            throw new IllegalArgumentException("no address");
        }
        address.copyTo(whole, whole.length - address.size());
        return new Endpoint(
                new BigInteger(1, Arrays.copyOf(whole, 8)).longValue(),
                new BigInteger(1, Arrays.copyOfRange(whole, 8, 16)).longValue(),
                port);
    }

    private static ControlStatus decode(ControlProto control) {
        return new ControlStatus(
                WorkClass.ofId(control.getWorkClass()).orElse(WorkClass.UNCLASSIFIED),
                control.getReason(),
                control.getCores(),
                control.hasDiskBytesPerSecond()
                        ? OptionalLong.of(control.getDiskBytesPerSecond())
                        : OptionalLong.empty(),
                Instant.ofEpochMilli(control.getSinceMs()));
    }

    private static Optional<Reading> reading(KindProto kind, Iterator<Float> values) {
        if (kind.getStatus() == StatusProto.UNAVAILABLE) {
            return Optional.of(new Reading.Unavailable(kind.getReason(), kind.getSource()));
        }
        float level = values.next();
        float mean = values.next();
        float raw = kind.getClipped() ? values.next() : level;
        Reading measured =
                new Reading.Measured(level, mean, raw, kind.getStatus() == StatusProto.APPORTIONED, kind.getSource());
        return kind.getStatus() == StatusProto.OK || kind.getStatus() == StatusProto.APPORTIONED
                ? Optional.of(measured)
                : Optional.empty();
    }

    /** A float's sign, which is none, and the 7 bits that were left out, around the 24 that travel. */
    private static Iterator<Float> values(ByteString bytes) {
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < bytes.size(); i += BYTES_PER_VALUE) {
            int sent = 0;
            for (int k = BYTES_PER_VALUE - 1; k >= 0; k--) {
                sent = 256 * sent + Byte.toUnsignedInt(bytes.byteAt(i + k));
            }
            values.add(Float.intBitsToFloat(sent * 128));
        }
        return values.iterator();
    }

    private static void requireIndex(int index, int size) {
        if (index < 0 || index >= size) {
            throw new IllegalArgumentException("%d of %d".formatted(index, size));
        }
    }
}
