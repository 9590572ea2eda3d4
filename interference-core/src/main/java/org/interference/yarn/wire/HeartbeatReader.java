package org.interference.yarn.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.PackedReadings;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.WorkClass;
import org.interference.yarn.wire.proto.ContainerProto;
import org.interference.yarn.wire.proto.ControlProto;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;
import org.interference.yarn.wire.proto.StatusProto;

/**
 * Reads one NodeReportProto straight into what a report keeps, field by field with protobuf's own reader: the generated
 * parser makes three times the objects, which a ResourceManager of 10,000 nodes cannot afford (ADR-0002).
 *
 * <p>The first pass over the bytes reads what the containers share, wherever it stands, and the second the containers.
 */
final class HeartbeatReader {
    /** No node runs so many; a container of a few bytes takes a hundred times as many to hold. */
    private static final int MOST_CONTAINERS = 10_000;

    /** YARN's ids are a quarter of this. Each may repeat the one before it, so that a long one would grow a report. */
    private static final int LONGEST_ID = 255;

    private static final int VARINT = WireFormat.WIRETYPE_VARINT;
    private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int TAG_TYPE_BITS = 3;
    private static final char REPLACEMENT = '\uFFFD';

    private static final ControlStatus NO_CONTROL =
            new ControlStatus(WorkClass.UNCLASSIFIED, "", "", OptionalLong.empty(), Instant.EPOCH);

    private final byte[] bytes;
    private final List<Kind> kinds = new ArrayList<>();
    private final List<DraftShape> shapes = new ArrayList<>();
    /** Start and length of each container. */
    private int[] extents = new int[128];

    private int containerCount;
    private int schemaVersion;
    private long incarnation;
    private long sequence;
    private long measuredAtMs;

    /** Of the container being read, and of the one before until then. */
    private final byte[] id = new byte[LONGEST_ID];

    private int idLength;

    private HeartbeatReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** What {@link KindProto} says; the status is null if it is one of a newer peer. */
    private record Kind(int signal, StatusProto status, String source, String reason, boolean clipped) {
        /** How many values a container has of it, also where the status is not known. */
        int figures() {
            if (status == StatusProto.UNAVAILABLE) {
                return 0;
            }
            return clipped ? 3 : 2;
        }
    }

    /** A shape whose kinds are still only numbers. */
    private record DraftShape(List<Integer> kinds, Optional<LaunchSignature> launch) {}

    /** What the containers of one program have in common. */
    private record Shape(PackedReadings.Layout layout, Optional<LaunchSignature> launch) {}

    /** Reads all but the containers of {@code bytes}; whether its version is known is for the caller to ask. */
    static HeartbeatReader read(byte[] bytes) throws IOException {
        HeartbeatReader reader = new HeartbeatReader(bytes);
        reader.readReport(CodedInputStream.newInstance(bytes));
        return reader;
    }

    /** @throws IllegalArgumentException if no reader takes so many containers */
    static void requireContainers(int count) {
        if (count > MOST_CONTAINERS) {
            throw new IllegalArgumentException("%d containers, at most %d are read".formatted(count, MOST_CONTAINERS));
        }
    }

    /** @throws IllegalArgumentException if no reader takes an id of so many bytes */
    static void requireIdLength(long length) {
        if (length > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "a container id of %d bytes, at most %d are read".formatted(length, LONGEST_ID));
        }
    }

    /** @throws IllegalArgumentException if two of {@code containers} are the same one: no reader takes two words of it at once */
    static void requireDistinctIds(List<ContainerReport> containers) {
        if (idsAscend(containers)) {
            return;
        }
        Set<String> ids = new HashSet<>(2 * containers.size());
        for (ContainerReport container : containers) {
            if (!ids.add(container.container())) {
                throw new IllegalArgumentException("%s is named twice".formatted(container.container()));
            }
        }
    }

    /** A node lists its containers in the order of their ids, but for those that ended lately; then looking for one that comes twice costs nothing. */
    private static boolean idsAscend(List<ContainerReport> containers) {
        for (int i = 1; i < containers.size(); i++) {
            if (containers.get(i - 1).container().compareTo(containers.get(i).container()) >= 0) {
                return false;
            }
        }
        return true;
    }

    int schemaVersion() {
        return schemaVersion;
    }

    /** @throws IllegalArgumentException if a container breaks a rule of the format */
    NodeReport report() throws IOException {
        // Programs differ in their launch, but mostly not in what can be measured of them.
        Map<List<Integer>, PackedReadings.Layout> layouts = new HashMap<>();
        Shape[] understood = new Shape[shapes.size()];
        for (int i = 0; i < understood.length; i++) {
            DraftShape shape = shapes.get(i);
            understood[i] = new Shape(layouts.computeIfAbsent(shape.kinds(), this::layout), shape.launch());
        }
        CodedInputStream input = CodedInputStream.newInstance(bytes);
        ContainerReport[] containers = new ContainerReport[containerCount];
        for (int i = 0; i < containerCount; i++) {
            input.skipRawBytes(extents[2 * i] - input.getTotalBytesRead());
            int outer = input.pushLimit(extents[2 * i + 1]);
            containers[i] = readContainer(input, understood);
            input.popLimit(outer);
        }
        List<ContainerReport> all = Arrays.asList(containers);
        requireDistinctIds(all);
        return new NodeReport(incarnation, sequence, Instant.ofEpochMilli(measuredAtMs), all);
    }

    private PackedReadings.Layout layout(List<Integer> indices) {
        Map<Signal, PackedReadings.Slot> slots = new EnumMap<>(Signal.class);
        int next = 0;
        for (int index : indices) {
            if (index < 0 || index >= kinds.size()) {
                throw new IllegalArgumentException("kind %d of %d".formatted(index, kinds.size()));
            }
            next += kinds.get(index).figures();
        }
        float[] highest = new float[next];
        Arrays.fill(highest, Float.MAX_VALUE);
        next = 0;
        for (int index : indices) {
            Kind kind = kinds.get(index);
            PackedReadings.Slot slot = slot(kind, next);
            Optional<Signal> signal = Signal.ofId(kind.signal());
            if (slot != null && signal.isPresent()) {
                slots.put(signal.get(), slot);
                // Level and mean; what the level was before clipping teaches nobody.
                int bounded = Math.min(2, kind.figures());
                Arrays.fill(highest, next, next + bounded, (float) signal.get().highest());
            }
            next += kind.figures();
        }
        return new PackedReadings.Layout(slots, highest);
    }

    /** Returns null for a status of a newer peer. */
    private static PackedReadings.Slot slot(Kind kind, int at) {
        String source = kind.source();
        if (kind.status() == StatusProto.UNAVAILABLE) {
            Reading unavailable = new Reading.Unavailable(kind.reason(), source);
            return figures -> unavailable;
        }
        if (kind.status() == StatusProto.OK || kind.status() == StatusProto.APPORTIONED) {
            boolean apportioned = kind.status() == StatusProto.APPORTIONED;
            int raw = kind.clipped() ? at + 2 : at;
            return figures -> new Reading.Measured(figures[at], figures[at + 1], figures[raw], apportioned, source);
        }
        return null;
    }

    private void readReport(CodedInputStream input) throws IOException {
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
                case NodeReportProto.KINDS_FIELD_NUMBER << TAG_TYPE_BITS | BYTES ->
                    kinds.add(nested(input, HeartbeatReader::readKind));
                case NodeReportProto.SHAPES_FIELD_NUMBER << TAG_TYPE_BITS | BYTES ->
                    shapes.add(nested(input, HeartbeatReader::readShape));
                case NodeReportProto.CONTAINERS_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> skipContainer(input);
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

    private static Kind readKind(CodedInputStream input) throws IOException {
        int signal = 0;
        int status = 0;
        String source = "";
        String reason = "";
        boolean clipped = false;
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case KindProto.SIGNAL_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> signal = input.readUInt32();
                case KindProto.STATUS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> status = input.readEnum();
                case KindProto.SOURCE_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> source = input.readStringRequireUtf8();
                case KindProto.REASON_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> reason = input.readStringRequireUtf8();
                case KindProto.CLIPPED_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> clipped = input.readBool();
                default -> {
                    if (isEnd(tag, input)) {
                        return new Kind(signal, StatusProto.forNumber(status), source, reason, clipped);
                    }
                }
            }
        }
    }

    private static DraftShape readShape(CodedInputStream input) throws IOException {
        List<Integer> kinds = new ArrayList<>();
        Optional<LaunchSignature> launch = Optional.empty();
        while (true) {
            int tag = input.readTag();
            switch (tag) {
                case ShapeProto.KIND_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> kinds.add(input.readUInt32());
                case ShapeProto.KIND_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    int outer = input.pushLimit(input.readRawVarint32());
                    while (input.getBytesUntilLimit() > 0) {
                        kinds.add(input.readUInt32());
                    }
                    input.popLimit(outer);
                }
                case ShapeProto.LAUNCH_SIGNATURE_FIELD_NUMBER << TAG_TYPE_BITS | FIXED64 ->
                    launch = Optional.of(new LaunchSignature(input.readFixed64()));
                default -> {
                    if (isEnd(tag, input)) {
                        return new DraftShape(kinds, launch);
                    }
                }
            }
        }
    }

    private void skipContainer(CodedInputStream input) throws IOException {
        requireContainers(containerCount + 1);
        if (2 * containerCount == extents.length) {
            extents = Arrays.copyOf(extents, 2 * extents.length);
        }
        int length = input.readRawVarint32();
        extents[2 * containerCount] = input.getTotalBytesRead();
        extents[2 * containerCount + 1] = length;
        containerCount++;
        input.skipRawBytes(length);
    }

    private ContainerReport readContainer(CodedInputStream input, Shape[] understood) throws IOException {
        int shared = 0;
        int restStart = 0;
        int restLength = 0;
        long observedMs = 0;
        boolean ended = false;
        int shape = 0;
        int valuesStart = 0;
        int valuesLength = 0;
        Optional<ControlStatus> control = Optional.empty();
        boolean more = true;
        while (more) {
            int tag = input.readTag();
            switch (tag) {
                case ContainerProto.ID_SHARED_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> shared = input.readUInt32();
                case ContainerProto.ID_REST_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    restLength = input.readRawVarint32();
                    restStart = input.getTotalBytesRead();
                    input.skipRawBytes(restLength);
                }
                case ContainerProto.OBSERVED_MS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    observedMs = input.readUInt64();
                case ContainerProto.ENDED_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> ended = input.readBool();
                case ContainerProto.SHAPE_FIELD_NUMBER << TAG_TYPE_BITS | VARINT -> shape = input.readUInt32();
                case ContainerProto.VALUES_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    valuesLength = input.readRawVarint32();
                    valuesStart = input.getTotalBytesRead();
                    input.skipRawBytes(valuesLength);
                }
                case ContainerProto.CONTROL_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> {
                    ControlStatus before = control.orElse(NO_CONTROL);
                    control = Optional.of(nested(input, part -> readControl(part, before)));
                }
                default -> more = !isEnd(tag, input);
            }
        }
        String container = id(shared, restStart, restLength);
        if (observedMs < 0) {
            throw new IllegalArgumentException("%s was observed for a negative time".formatted(container));
        }
        if (shape < 0 || shape >= understood.length) {
            throw new IllegalArgumentException("%s has shape %d of %d".formatted(container, shape, understood.length));
        }
        return new ContainerReport(
                container,
                Duration.ofMillis(observedMs),
                ended,
                understood[shape].layout().of(figures(valuesStart, valuesLength)),
                understood[shape].launch(),
                control);
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
                case ControlProto.WORK_CLASS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    workClass = WorkClass.ofId(input.readUInt32()).orElse(WorkClass.UNCLASSIFIED);
                case ControlProto.REASON_FIELD_NUMBER << TAG_TYPE_BITS | BYTES ->
                    reason = input.readStringRequireUtf8();
                case ControlProto.CORES_FIELD_NUMBER << TAG_TYPE_BITS | BYTES -> cores = input.readStringRequireUtf8();
                case ControlProto.DISK_BYTES_PER_SECOND_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
                    diskBytesPerSecond = OptionalLong.of(input.readUInt64());
                case ControlProto.SINCE_MS_FIELD_NUMBER << TAG_TYPE_BITS | VARINT ->
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
    private static boolean isEnd(int tag, CodedInputStream input) throws IOException {
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
        requireIdLength((long) shared + restLength);
        System.arraycopy(bytes, restStart, id, shared, restLength);
        idLength = shared + restLength;
        String text = new String(id, 0, idLength, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0
                && !ByteString.copyFrom(id, 0, idLength).isValidUtf8()) {
            throw new IllegalArgumentException("a container id is not UTF-8");
        }
        return text;
    }

    private float[] figures(int start, int length) {
        if (length % ShortFloat.BYTES != 0) {
            throw new IllegalArgumentException("%d bytes are no whole number of values".formatted(length));
        }
        float[] figures = new float[length / ShortFloat.BYTES];
        for (int i = 0; i < figures.length; i++) {
            figures[i] = ShortFloat.read(bytes, start + ShortFloat.BYTES * i);
        }
        return figures;
    }
}
