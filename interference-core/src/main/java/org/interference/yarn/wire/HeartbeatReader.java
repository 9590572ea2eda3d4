package org.interference.yarn.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.PackedReadings;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.StatusProto;

/**
 * Reads one NodeReportProto straight into what a report keeps, field by field with protobuf's own reader: the generated
 * parser makes three times the objects, which a ResourceManager of 10,000 nodes cannot afford (ADR-0002).
 *
 * <p>Kinds follow the containers that name them, so a container is drafted first and understood at the end.
 */
final class HeartbeatReader {
    private static final int VARINT = WireFormat.WIRETYPE_VARINT;
    private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int FIXED32 = WireFormat.WIRETYPE_FIXED32;
    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int TAG_TYPE_BITS = 3;
    private static final char REPLACEMENT = '\uFFFD';
    private static final int FIGURES_PER_READING = 3;

    private final byte[] bytes;
    private final ByteBuffer floats;
    private final CodedInputStream input;
    private final List<Draft> drafts = new ArrayList<>();
    private final List<KindProto> kinds = new ArrayList<>();
    private int schemaVersion;
    private long incarnation;
    private long sequence;
    private long measuredAtMs;

    /** What the container being read has so far; the arrays serve every container. */
    private int[] kindIndices = new int[16];

    private int kindCount;
    private float[] figures = new float[64];
    private int figureCount;

    /** The kinds of the container before: most containers of a node have the same ones. */
    private int[] sharedIndices = {};

    private HeartbeatReader(byte[] bytes) {
        this.bytes = bytes;
        this.floats = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.input = CodedInputStream.newInstance(bytes);
    }

    /** A container whose kinds are still only numbers. */
    private static final class Draft {
        private String id = "";
        private long observedMs;
        private boolean ended;
        private int[] kinds;
        private float[] figures;
        private Optional<LaunchSignature> launch = Optional.empty();
    }

    /** Reads {@code bytes}; whether its version is known is for the caller to ask. */
    static HeartbeatReader read(byte[] bytes) throws IOException {
        HeartbeatReader reader = new HeartbeatReader(bytes);
        reader.readReport();
        return reader;
    }

    int schemaVersion() {
        return schemaVersion;
    }

    /** @throws IllegalArgumentException if a container breaks a rule of the format */
    NodeReport report() {
        List<ContainerReport> containers = new ArrayList<>(drafts.size());
        int[] indices = null;
        PackedReadings.Layout layout = null;
        for (Draft draft : drafts) {
            if (draft.observedMs < 0) {
                throw new IllegalArgumentException("%s was observed for a negative time".formatted(draft.id));
            }
            if (draft.kinds != indices) {
                indices = draft.kinds;
                layout = layout(indices);
            }
            containers.add(new ContainerReport(
                    draft.id,
                    Duration.ofMillis(draft.observedMs),
                    draft.ended,
                    layout.of(draft.figures),
                    draft.launch));
        }
        return new NodeReport(incarnation, sequence, Instant.ofEpochMilli(measuredAtMs), containers);
    }

    private PackedReadings.Layout layout(int[] indices) {
        Map<Signal, PackedReadings.Slot> slots = new EnumMap<>(Signal.class);
        int next = 0;
        for (int index : indices) {
            if (index < 0 || index >= kinds.size()) {
                throw new IllegalArgumentException("kind %d of %d".formatted(index, kinds.size()));
            }
            KindProto kind = kinds.get(index);
            PackedReadings.Slot slot = slot(kind, next);
            if (slot != null) {
                Signal.ofId(kind.getSignal()).ifPresent(signal -> slots.put(signal, slot));
            }
            if (kind.getStatus() != StatusProto.UNAVAILABLE) {
                next += FIGURES_PER_READING;
            }
        }
        return new PackedReadings.Layout(slots, next);
    }

    /** Returns null for a status of a newer peer. */
    private static PackedReadings.Slot slot(KindProto kind, int at) {
        String source = kind.getSource();
        return switch (kind.getStatus()) {
            case UNAVAILABLE -> {
                Reading unavailable = new Reading.Unavailable(kind.getReason(), source);
                yield figures -> unavailable;
            }
            case OK, APPORTIONED -> {
                boolean apportioned = kind.getStatus() == StatusProto.APPORTIONED;
                yield figures ->
                        new Reading.Measured(figures[at], figures[at + 1], figures[at + 2], apportioned, source);
            }
            case STATUS_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    }

    private void readReport() throws IOException {
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case NodeReportProto.SCHEMA_VERSION_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    schemaVersion = input.readUInt32();
                case NodeReportProto.INCARNATION_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    incarnation = input.readUInt64();
                case NodeReportProto.SEQUENCE_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> sequence = input.readUInt64();
                case NodeReportProto.MEASURED_AT_MS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    measuredAtMs = input.readInt64();
                case NodeReportProto.CONTAINERS_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    int outer = input.pushLimit(input.readRawVarint32());
                    drafts.add(readContainer());
                    input.popLimit(outer);
                }
                case NodeReportProto.KINDS_FIELD_NUMBER << TAG_TYPE_BITS | BYTES ->
                    kinds.add(input.readMessage(KindProto.parser(), ExtensionRegistryLite.getEmptyRegistry()));
                default -> {
                    if (isEnd(tag)) {
                        return;
                    }
                }
            }
        }
    }

    private Draft readContainer() throws IOException {
        Draft draft = new Draft();
        kindCount = 0;
        figureCount = 0;
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case ContainerProto.ID_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> draft.id = readString();
                case ContainerProto.OBSERVED_MS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    draft.observedMs = input.readUInt64();
                case ContainerProto.ENDED_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> draft.ended = input.readBool();
                case ContainerProto.KIND_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    int outer = input.pushLimit(input.readRawVarint32());
                    while (input.getBytesUntilLimit() > 0) {
                        addKind();
                    }
                    input.popLimit(outer);
                }
                case ContainerProto.KIND_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> addKind();
                case ContainerProto.VALUES_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> addFigures();
                case ContainerProto.VALUES_FIELD_NUMBER << TAG_TYPE_BITS | FIXED32 -> addFigure();
                case ContainerProto.LAUNCH_SIGNATURE_FIELD_NUMBER << TAG_TYPE_BITS | FIXED64 ->
                    draft.launch = Optional.of(new LaunchSignature(input.readFixed64()));
                default -> {
                    if (isEnd(tag)) {
                        draft.kinds = indices();
                        draft.figures = Arrays.copyOf(figures, figureCount);
                        return draft;
                    }
                }
            }
        }
    }

    /** Skips a field of a newer peer; returns whether {@code tag} is the end instead. */
    private boolean isEnd(int tag) throws IOException {
        if (tag != 0 && input.skipField(tag)) {
            return false;
        }
        // A message ends with its bytes, not with the end of a group.
        input.checkLastTagWas(0);
        return true;
    }

    private void addKind() throws IOException {
        if (kindCount == kindIndices.length) {
            kindIndices = Arrays.copyOf(kindIndices, 2 * kindCount);
        }
        kindIndices[kindCount++] = input.readUInt32();
    }

    private void addFigure() throws IOException {
        reserve(1);
        figures[figureCount++] = input.readFloat();
    }

    /** Figures are two thirds of a report; they are taken past the stream, which checks each one. */
    private void addFigures() throws IOException {
        int length = input.readRawVarint32();
        int start = input.getTotalBytesRead();
        input.skipRawBytes(length);
        if (length % Float.BYTES != 0) {
            throw new IllegalArgumentException("%d bytes are no whole number of floats".formatted(length));
        }
        int count = length / Float.BYTES;
        reserve(count);
        for (int i = 0; i < count; i++) {
            figures[figureCount + i] = floats.getFloat(start + Float.BYTES * i);
        }
        figureCount += count;
    }

    private void reserve(int count) {
        if (figures.length - figureCount < count) {
            figures = Arrays.copyOf(figures, Math.max(2 * figures.length, figureCount + count));
        }
    }

    /** The JDK's decoder is several times faster than protobuf's, but puts U+FFFD where it should refuse. */
    private String readString() throws IOException {
        int length = input.readRawVarint32();
        int start = input.getTotalBytesRead();
        input.skipRawBytes(length);
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0
                && !ByteString.copyFrom(bytes, start, length).isValidUtf8()) {
            throw new IllegalArgumentException("a container id is not UTF-8");
        }
        return text;
    }

    private int[] indices() {
        if (!Arrays.equals(kindIndices, 0, kindCount, sharedIndices, 0, sharedIndices.length)) {
            sharedIndices = Arrays.copyOf(kindIndices, kindCount);
        }
        return sharedIndices;
    }
}
