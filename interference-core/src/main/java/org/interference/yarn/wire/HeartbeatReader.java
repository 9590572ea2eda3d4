package org.interference.yarn.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.PackedPreemptors;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.WorkClass;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.ControlProto;
import org.interference.yarn.wire.proto.NodeReportProto;

/**
 * Reads one NodeReportProto straight into what a report keeps, field by field with protobuf's own reader: the generated
 * parser makes three times the objects, which a ResourceManager of 10,000 nodes cannot afford (ADR-0002).
 *
 * <p>The first pass over the bytes reads what the containers share, wherever it stands, and the second the containers.
 */
final class HeartbeatReader {
    private static final char REPLACEMENT = '\uFFFD';

    private static final ControlStatus NO_CONTROL =
            new ControlStatus(WorkClass.UNCLASSIFIED, "", "", OptionalLong.empty(), Instant.EPOCH);

    private final byte[] bytes;
    private final ReportDictionary dictionary;
    private final Extents containers = new Extents(64);
    private int schemaVersion;
    private long incarnation;
    private long sequence;
    private long measuredAtMs;
    private final NodeFiguresReader figures = new NodeFiguresReader();

    /** Of the container being read, and of the one before until then. */
    private final byte[] id = new byte[ReportLimits.LONGEST_ID];

    private int idLength;
    /** Whether each id so far is beyond the one before it; then none comes twice. */
    private boolean ascending = true;

    private HeartbeatReader(byte[] bytes) {
        this.bytes = bytes;
        this.dictionary = new ReportDictionary(bytes);
    }

    /** Reads all but the containers of {@code bytes}; whether its version is known is for the caller to ask. */
    static HeartbeatReader read(byte[] bytes) throws IOException {
        HeartbeatReader reader = new HeartbeatReader(bytes);
        reader.readReport(CodedInputStream.newInstance(bytes));
        reader.dictionary.read();
        return reader;
    }

    int schemaVersion() {
        return schemaVersion;
    }

    /** @throws IllegalArgumentException if a container breaks a rule of the format */
    NodeReport report() throws IOException {
        ReportDictionary.Shape[] shapes = dictionary.shapes();
        CodedInputStream input = CodedInputStream.newInstance(bytes);
        ContainerReport[] reports = new ContainerReport[containers.count()];
        // Complete only when all containers are read: by then nobody has asked a list for its preemptors.
        String[] ids = new String[reports.length];
        for (int i = 0; i < reports.length; i++) {
            input.skipRawBytes(containers.start(i) - input.getTotalBytesRead());
            int outer = input.pushLimit(containers.length(i));
            reports[i] = readContainer(input, shapes, ids, i);
            input.popLimit(outer);
        }
        List<ContainerReport> all = Arrays.asList(reports);
        // A node lists its containers in the order of their ids, but for those that ended lately.
        if (!ascending) {
            ReportLimits.requireDistinctIds(all);
        }
        return new NodeReport(incarnation, sequence, Instant.ofEpochMilli(measuredAtMs), all, figures.read(bytes));
    }

    private void readReport(CodedInputStream input) throws IOException {
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case NodeReportProto.SCHEMA_VERSION_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    schemaVersion = input.readUInt32();
                case NodeReportProto.INCARNATION_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    incarnation = input.readUInt64();
                case NodeReportProto.SEQUENCE_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    sequence = input.readUInt64();
                case NodeReportProto.MEASURED_AT_MS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    measuredAtMs = input.readInt64();
                case NodeReportProto.KINDS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    int length = input.readRawVarint32();
                    dictionary.kindAt(input.getTotalBytesRead(), length);
                    input.skipRawBytes(length);
                }
                case NodeReportProto.SHAPES_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    int length = input.readRawVarint32();
                    dictionary.shapeAt(input.getTotalBytesRead(), length);
                    input.skipRawBytes(length);
                }
                case NodeReportProto.CONTAINERS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    skipContainer(input);
                case NodeReportProto.FIGURES_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    int length = input.readRawVarint32();
                    figures.figuresAt(input.getTotalBytesRead(), length);
                    input.skipRawBytes(length);
                }
                case NodeReportProto.UNTOLD_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    int length = input.readRawVarint32();
                    figures.untoldAt(input.getTotalBytesRead(), length);
                    input.skipRawBytes(length);
                }
                default -> {
                    if (isEnd(tag, input)) {
                        return;
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Part<T> {
        T read(CodedInputStream input) throws IOException;
    }

    private static <T> T nested(CodedInputStream input, Part<T> part) throws IOException {
        int outer = input.pushLimit(input.readRawVarint32());
        T read = part.read(input);
        input.popLimit(outer);
        return read;
    }

    private void skipContainer(CodedInputStream input) throws IOException {
        int length = input.readRawVarint32();
        ReportLimits.requireContainers(containers.count() + 1);
        containers.add(input.getTotalBytesRead(), length);
        input.skipRawBytes(length);
    }

    /** @param ids of the report's containers; this one's is put in as number {@code number} */
    private ContainerReport readContainer(
            CodedInputStream input, ReportDictionary.Shape[] shapes, String[] ids, int number) throws IOException {
        int shared = 0;
        int restStart = 0;
        int restLength = 0;
        long observedMs = 0;
        boolean ended = false;
        int shape = 0;
        int valuesStart = 0;
        int valuesLength = 0;
        int preemptorsStart = 0;
        int preemptorsLength = 0;
        Optional<ControlStatus> control = Optional.empty();
        List<Flow> flows = List.of();
        boolean more = true;
        while (more) {
            int tag = input.readTag();
            switch (tag) {
                case ContainerProto.ID_SHARED_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    shared = input.readUInt32();
                case ContainerProto.ID_REST_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    restLength = input.readRawVarint32();
                    restStart = input.getTotalBytesRead();
                    input.skipRawBytes(restLength);
                }
                case ContainerProto.OBSERVED_MS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    observedMs = input.readUInt64();
                case ContainerProto.ENDED_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    ended = input.readBool();
                case ContainerProto.SHAPE_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    shape = input.readUInt32();
                case ContainerProto.VALUES_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    valuesLength = input.readRawVarint32();
                    valuesStart = input.getTotalBytesRead();
                    input.skipRawBytes(valuesLength);
                }
                case ContainerProto.PREEMPTORS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    preemptorsLength = input.readRawVarint32();
                    preemptorsStart = input.getTotalBytesRead();
                    input.skipRawBytes(preemptorsLength);
                }
                case ContainerProto.FLOWS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    ReportLimits.requireFlows(flows.size() + 1);
                    flows = flows.isEmpty() ? new ArrayList<>() : flows;
                    flows.add(nested(input, FlowReader::read));
                }
                case ContainerProto.CONTROL_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    ControlStatus before = control.orElse(NO_CONTROL);
                    control = Optional.of(nested(input, part -> readControl(part, before)));
                }
                default -> more = !isEnd(tag, input);
            }
        }
        String container = id(shared, restStart, restLength);
        ids[number] = container;
        if (observedMs < 0) {
            throw new IllegalArgumentException("%s was observed for a negative time".formatted(container));
        }
        if (shape < 0 || shape >= shapes.length) {
            throw new IllegalArgumentException("%s has shape %d of %d".formatted(container, shape, shapes.length));
        }
        // Preemptors mostly stand right behind the values: then one array has both.
        int behind = preemptorsStart - valuesStart;
        boolean together = preemptorsLength > 0 && behind >= valuesLength && behind <= valuesLength + 2;
        byte[] values = Arrays.copyOfRange(
                bytes, valuesStart, together ? preemptorsStart + preemptorsLength : valuesStart + valuesLength);
        List<Preemptor> preemptors = List.of();
        if (preemptorsLength > 0) {
            byte[] packed =
                    together ? values : Arrays.copyOfRange(bytes, preemptorsStart, preemptorsStart + preemptorsLength);
            preemptors = new PackedPreemptors(ids, packed, packed.length - preemptorsLength, preemptorsLength);
        }
        return new ContainerReport(
                container,
                Duration.ofMillis(observedMs),
                ended,
                shapes[shape].layout().of(values, valuesLength),
                shapes[shape].launch(),
                control,
                preemptors,
                flows);
    }

    /** A field of a message that comes twice is merged, as protobuf has it. */
    private static ControlStatus readControl(CodedInputStream input, ControlStatus before) throws IOException {
        WorkClass workClass = before.workClass();
        String reason = before.reason();
        String cores = before.cores();
        OptionalLong diskBytesPerSecond = before.diskBytesPerSecond();
        Instant since = before.since();
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case ControlProto.WORK_CLASS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    workClass = WorkClass.ofId(input.readUInt32()).orElse(WorkClass.UNCLASSIFIED);
                case ControlProto.REASON_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    reason = input.readStringRequireUtf8();
                case ControlProto.CORES_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    cores = input.readStringRequireUtf8();
                case ControlProto.DISK_BYTES_PER_SECOND_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    diskBytesPerSecond = OptionalLong.of(input.readUInt64());
                case ControlProto.SINCE_MS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT ->
                    since = Instant.ofEpochMilli(input.readInt64());
                default -> {
                    if (isEnd(tag, input)) {
                        return new ControlStatus(workClass, reason, cores, diskBytesPerSecond, since);
                    }
                }
            }
        }
    }

    /** Skips a field of a newer peer; returns whether {@code tag} is the end instead. */
    static boolean isEnd(int tag, CodedInputStream input) throws IOException {
        if (tag != 0 && input.skipField(tag)) {
            return false;
        }
        // A message ends with its bytes, not with the end of a group.
        input.checkLastTagWas(0);
        return true;
    }

    /** The JDK's decoder is several times faster than protobuf's, but puts U+FFFD where it should refuse. */
    private String id(int shared, int restStart, int restLength) {
        if (shared < 0 || shared > idLength) {
            throw new IllegalArgumentException(
                    "a container shares %d bytes of an id of %d".formatted(shared, idLength));
        }
        ReportLimits.requireIdLength((long) shared + restLength);
        ascending &= restLength > 0 && (shared == idLength || Byte.compareUnsigned(bytes[restStart], id[shared]) > 0);
        System.arraycopy(bytes, restStart, id, shared, restLength);
        idLength = shared + restLength;
        String text = new String(id, 0, idLength, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0
                && !ByteString.copyFrom(id, 0, idLength).isValidUtf8()) {
            throw new IllegalArgumentException("a container id is not UTF-8");
        }
        return text;
    }
}
