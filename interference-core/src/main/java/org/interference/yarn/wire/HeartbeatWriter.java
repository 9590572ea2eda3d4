package org.interference.yarn.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.StatusProto;

/**
 * Writes one NodeReportProto field by field with protobuf's own writer, the bytes that the generated classes would write:
 * encoding is on the NodeManager's heartbeat thread, and through them takes several times as long (ADR-0002).
 */
final class HeartbeatWriter {
    private static final int FIGURES_PER_READING = 3;
    private static final int TYPICAL_BYTES = 8192;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
    private final CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    private final Map<Kind, Integer> kinds = new LinkedHashMap<>();

    /** Of the container being written; a container has each signal once at most. */
    private final int[] kindIndices = new int[Signal.values().length];

    private final float[] figures = new float[FIGURES_PER_READING * kindIndices.length];

    private HeartbeatWriter() {}

    static byte[] write(NodeReport report, int schemaVersion) throws IOException {
        HeartbeatWriter writer = new HeartbeatWriter();
        writer.writeReport(report, schemaVersion);
        return writer.bytes.toByteArray();
    }

    private void writeReport(NodeReport report, int schemaVersion) throws IOException {
        NodeReportProto.newBuilder()
                .setSchemaVersion(schemaVersion)
                .setIncarnation(report.incarnation())
                .setSequence(report.sequence())
                .setMeasuredAtMs(report.measuredAt().toEpochMilli())
                .build()
                .writeTo(output);
        for (ContainerReport container : report.containers()) {
            write(container);
        }
        for (Kind kind : kinds.keySet()) {
            output.writeMessage(NodeReportProto.KINDS_FIELD_NUMBER, kind.proto());
        }
        output.flush();
    }

    private void write(ContainerReport container) throws IOException {
        int kindCount = 0;
        int kindBytes = 0;
        int figureCount = 0;
        for (Map.Entry<Signal, Reading> entry : container.readings().entrySet()) {
            Integer next = kinds.size();
            Integer known = kinds.putIfAbsent(Kind.of(entry.getKey(), entry.getValue()), next);
            int index = known == null ? next : known;
            kindIndices[kindCount++] = index;
            kindBytes += CodedOutputStream.computeUInt32SizeNoTag(index);
            if (entry.getValue() instanceof Reading.Measured measured) {
                figures[figureCount++] = narrowed(measured.level());
                figures[figureCount++] = narrowed(measured.mean());
                figures[figureCount++] = narrowed(measured.raw());
            }
        }
        int figureBytes = Float.BYTES * figureCount;
        output.writeTag(NodeReportProto.CONTAINERS_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        output.writeUInt32NoTag(headSize(container)
                + packedSize(ContainerProto.KIND_FIELD_NUMBER, kindBytes)
                + packedSize(ContainerProto.VALUES_FIELD_NUMBER, figureBytes)
                + (container.launch().isEmpty()
                        ? 0
                        : CodedOutputStream.computeFixed64Size(ContainerProto.LAUNCH_SIGNATURE_FIELD_NUMBER, 0)));
        writeHead(container);
        if (writePacked(ContainerProto.KIND_FIELD_NUMBER, kindBytes)) {
            for (int i = 0; i < kindCount; i++) {
                output.writeUInt32NoTag(kindIndices[i]);
            }
        }
        if (writePacked(ContainerProto.VALUES_FIELD_NUMBER, figureBytes)) {
            for (int i = 0; i < figureCount; i++) {
                output.writeFloatNoTag(figures[i]);
            }
        }
        if (container.launch().isPresent()) {
            output.writeFixed64(
                    ContainerProto.LAUNCH_SIGNATURE_FIELD_NUMBER,
                    container.launch().get().bits());
        }
    }

    /** Returns the bytes of {@link #writeHead}; as everywhere in proto3, a default takes none. */
    private static int headSize(ContainerReport container) {
        long observedMs = container.observed().toMillis();
        return (container.container().isEmpty()
                        ? 0
                        : CodedOutputStream.computeStringSize(ContainerProto.ID_FIELD_NUMBER, container.container()))
                + (observedMs == 0
                        ? 0
                        : CodedOutputStream.computeUInt64Size(ContainerProto.OBSERVED_MS_FIELD_NUMBER, observedMs))
                + (container.ended() ? CodedOutputStream.computeBoolSize(ContainerProto.ENDED_FIELD_NUMBER, true) : 0);
    }

    private void writeHead(ContainerReport container) throws IOException {
        long observedMs = container.observed().toMillis();
        if (!container.container().isEmpty()) {
            output.writeString(ContainerProto.ID_FIELD_NUMBER, container.container());
        }
        if (observedMs != 0) {
            output.writeUInt64(ContainerProto.OBSERVED_MS_FIELD_NUMBER, observedMs);
        }
        if (container.ended()) {
            output.writeBool(ContainerProto.ENDED_FIELD_NUMBER, true);
        }
    }

    private static int packedSize(int field, int content) {
        return content == 0
                ? 0
                : CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(content) + content;
    }

    /** Writes what stands before {@code content} bytes of a packed field; returns whether the field is written at all. */
    private boolean writePacked(int field, int content) throws IOException {
        if (content == 0) {
            return false;
        }
        output.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        output.writeUInt32NoTag(content);
        return true;
    }

    /** A level that no float holds is wrong, but must not make its whole report malformed. */
    private static float narrowed(double value) {
        return (float) Math.min(value, Float.MAX_VALUE);
    }

    /** What {@link KindProto} says; a key that is hashed for every reading, which a message is slow at. */
    private record Kind(Signal signal, StatusProto status, String source, String reason) {
        static Kind of(Signal signal, Reading reading) {
            if (reading instanceof Reading.Measured measured) {
                StatusProto status = measured.apportioned() ? StatusProto.APPORTIONED : StatusProto.OK;
                return new Kind(signal, status, reading.source(), "");
            }
            String reason = ((Reading.Unavailable) reading).reason();
            return new Kind(signal, StatusProto.UNAVAILABLE, reading.source(), reason);
        }

        KindProto proto() {
            return KindProto.newBuilder()
                    .setSignal(signal.id())
                    .setStatus(status)
                    .setSource(source)
                    .setReason(reason)
                    .build();
        }
    }
}
