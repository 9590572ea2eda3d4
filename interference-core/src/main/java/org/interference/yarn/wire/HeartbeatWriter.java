package org.interference.yarn.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.Endpoint;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.PackedPreemptors;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.ShortFloat;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.Untold;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.ControlProto;
import org.interference.yarn.wire.proto.FlowProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;
import org.interference.yarn.wire.proto.StatusProto;

/** Makes one NodeReportProto, in which whatever several containers have in common stands once. */
final class HeartbeatWriter {
    private static final int MOST_FIGURES_OF_A_READING = 3;

    private final NodeReportProto.Builder proto = NodeReportProto.newBuilder();
    private final Map<Kind, Integer> kinds = new LinkedHashMap<>();
    private final Map<Shape, Integer> shapes = new LinkedHashMap<>();
    /** Of the container being written; a container has each signal once at most. */
    private final byte[] values = new byte[Signal.values().length * MOST_FIGURES_OF_A_READING * ShortFloat.BYTES];

    private byte[] idBefore = {};

    private HeartbeatWriter() {}

    /** @throws IllegalArgumentException if there are more containers, or longer ids, than a reader takes, or one id twice */
    static byte[] write(NodeReport report, int schemaVersion) {
        return new HeartbeatWriter().proto(report, schemaVersion).toByteArray();
    }

    private NodeReportProto proto(NodeReport report, int schemaVersion) {
        ReportLimits.requireContainers(report.containers().size());
        ReportLimits.requireDistinctIds(report.containers());
        Map<String, Integer> numbers = new HashMap<>();
        report.containers().forEach(container -> numbers.put(container.container(), numbers.size() + 1));
        report.containers().forEach(container -> add(container, numbers));
        kinds.keySet().forEach(kind -> proto.addKinds(kind.proto()));
        shapes.keySet().forEach(shape -> proto.addShapes(shape.proto()));
        proto.setFigures(figures(report.figures())).setUntold(untold(report.figures()));
        return proto.setSchemaVersion(schemaVersion)
                .setIncarnation(report.incarnation())
                .setSequence(report.sequence())
                .setMeasuredAtMs(report.measuredAt().toEpochMilli())
                .build();
    }

    private static ByteString figures(NodeFigures figures) {
        Map<NodeMetric, Double> told = figures.values();
        byte[] bytes = new byte[told.size() * NodeFiguresReader.BYTES_OF_ONE];
        int end = 0;
        for (Map.Entry<NodeMetric, Double> one : told.entrySet()) {
            bytes[end] = (byte) one.getKey().id();
            end = ShortFloat.write(one.getValue(), bytes, end + 1);
        }
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    private static ByteString untold(NodeFigures figures) {
        Map<NodeMetric, Untold> untold = figures.untold();
        byte[] bytes = new byte[untold.size() * NodeFiguresReader.BYTES_OF_ONE_UNTOLD];
        int end = 0;
        for (Map.Entry<NodeMetric, Untold> one : untold.entrySet()) {
            bytes[end++] = (byte) one.getKey().id();
            bytes[end++] = (byte) one.getValue().id();
        }
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    private void add(ContainerReport container, Map<String, Integer> numbers) {
        byte[] id = container.container().getBytes(StandardCharsets.UTF_8);
        ReportLimits.requireIdLength(id.length);
        int difference = Arrays.mismatch(id, idBefore);
        int shared = difference < 0 ? id.length : difference;
        idBefore = id;
        List<Integer> kindsOfThis = new ArrayList<>(Signal.values().length);
        int end = 0;
        for (Map.Entry<Signal, Reading> entry : container.readings().entrySet()) {
            Kind kind = Kind.of(entry.getKey(), entry.getValue());
            kindsOfThis.add(indexOf(kind, kinds));
            if (entry.getValue() instanceof Reading.Measured measured) {
                end = ShortFloat.write(measured.level(), values, end);
                end = ShortFloat.write(measured.mean(), values, end);
                end = kind.clipped() ? ShortFloat.write(measured.raw(), values, end) : end;
            }
        }
        ContainerProto.Builder written = ContainerProto.newBuilder()
                .setIdShared(shared)
                .setIdRest(UnsafeByteOperations.unsafeWrap(id, shared, id.length - shared))
                .setObservedMs(container.observed().toMillis())
                .setEnded(container.ended())
                .setShape(indexOf(new Shape(kindsOfThis, container.launch()), shapes))
                .setValues(ByteString.copyFrom(values, 0, end));
        container.control().ifPresent(status -> written.setControl(control(status)));
        written.setPreemptors(preemptors(container.preemptors(), numbers));
        ReportLimits.requireFlows(container.flows().size());
        container.flows().forEach(flow -> written.addFlows(flow(flow)));
        proto.addContainers(written);
    }

    /** One that is not in the report any more is left out. */
    private static ByteString preemptors(List<Preemptor> preemptors, Map<String, Integer> numbers) {
        byte[] bytes = new byte[Preemptor.MOST * PackedPreemptors.LENGTH_OF_ONE];
        int end = 0;
        for (Preemptor preemptor : preemptors) {
            Optional<Integer> number = preemptor.container().isEmpty()
                    ? Optional.of(0)
                    : preemptor.container().map(numbers::get);
            if (number.isPresent() && end < bytes.length) {
                bytes[end] = number.get().byteValue();
                bytes[end + 1] = (byte) (number.get() >> Byte.SIZE);
                end = ShortFloat.write(preemptor.perSecond(), bytes, end + 2);
            }
        }
        return ByteString.copyFrom(bytes, 0, end);
    }

    private static FlowProto flow(Flow flow) {
        return FlowProto.newBuilder()
                .setLocalAddress(address(flow.local()))
                .setLocalPort(flow.local().port())
                .setRemoteAddress(address(flow.remote()))
                .setRemotePort(flow.remote().port())
                .setSent(flow.sent())
                .setReceived(flow.received())
                .build();
    }

    private static ByteString address(Endpoint end) {
        ByteBuffer bytes = end.isIpv4()
                ? ByteBuffer.allocate(Integer.BYTES).putInt((int) end.low())
                : ByteBuffer.allocate(2 * Long.BYTES).putLong(end.high()).putLong(end.low());
        return ByteString.copyFrom(bytes.flip());
    }

    private static ControlProto control(ControlStatus status) {
        ControlProto.Builder control = ControlProto.newBuilder()
                .setWorkClass(status.workClass().id())
                .setReason(status.reason())
                .setCores(status.cores())
                .setSinceMs(status.since().toEpochMilli());
        status.diskBytesPerSecond().ifPresent(control::setDiskBytesPerSecond);
        return control.build();
    }

    private static <T> int indexOf(T item, Map<T, Integer> known) {
        Integer next = known.size();
        Integer index = known.putIfAbsent(item, next);
        return index == null ? next : index;
    }

    /** What {@link ShapeProto} says. */
    private record Shape(List<Integer> kinds, Optional<LaunchSignature> launch) {
        ShapeProto proto() {
            ShapeProto.Builder proto = ShapeProto.newBuilder().addAllKind(kinds);
            launch.ifPresent(signature -> proto.setLaunchSignature(signature.bits()));
            return proto.build();
        }
    }

    /** What {@link KindProto} says; a key that is hashed for every reading, which a message is slow at. */
    private record Kind(Signal signal, StatusProto status, String source, String reason, boolean clipped) {
        static Kind of(Signal signal, Reading reading) {
            if (reading instanceof Reading.Measured measured) {
                return new Kind(
                        signal,
                        measured.apportioned() ? StatusProto.APPORTIONED : StatusProto.OK,
                        reading.source(),
                        "",
                        ShortFloat.nearest(measured.raw()) != ShortFloat.nearest(measured.level()));
            }
            String reason = ((Reading.Unavailable) reading).reason();
            return new Kind(signal, StatusProto.UNAVAILABLE, reading.source(), reason, false);
        }

        KindProto proto() {
            return KindProto.newBuilder()
                    .setSignal(signal.id())
                    .setStatus(status)
                    .setSource(source)
                    .setReason(reason)
                    .setClipped(clipped)
                    .build();
        }
    }
}
