package org.interference.yarn.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.PackedReadings;
import org.interference.yarn.wire.proto.NodeReportProto;
import org.interference.yarn.wire.proto.ShapeProto;

/**
 * The kinds and shapes of one report, which its containers name by their numbers, and what they mean. Not thread-safe.
 *
 * <p>A node says the same of its kinds in each report, and most nodes say the same: what the same bytes have meant before is not read again, and kept once.
 */
final class ReportDictionary {
    private static final ByteRange NOTHING = new ByteRange(new byte[0], 0, 0);
    private static final Map<ByteRange, Known> KNOWN = new ConcurrentHashMap<>();
    /** Of more, which only nodes that invent their kinds have, all are forgotten. */
    private static final int MOST_KNOWN = 64;
    /** Of each. */
    private static final int MOST_LAYOUTS = 16;
    /** In bytes, of kinds and of a shape; of a node that says more, each report keeps its own. */
    private static final int LONGEST = 4096;

    private static final byte KINDS_TAG = NodeReportProto.KINDS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES;

    private final byte[] bytes;
    private final Extents kinds = new Extents(64);
    private final Extents shapes = new Extents(16);
    /** Whether the kinds stand in a row, each with its length in as few bytes as it takes: then their bytes say where each ends. */
    private boolean inRow = true;

    private Known known;
    private final List<Draft> drafts = new ArrayList<>();

    /**
     * What kinds mean.
     *
     * @param layouts by the bytes of a shape that are the numbers of its kinds
     */
    private record Known(KindTable kinds, Map<ByteRange, PackedReadings.Layout> layouts) {}

    /**
     * A shape that is read.
     *
     * @param layout null if it has to be made of {@code numbers} first
     * @param key under which it is then kept; null if it is not
     */
    private record Draft(
            PackedReadings.Layout layout, List<Integer> numbers, ByteRange key, Optional<LaunchSignature> launch) {}

    /** What the containers of one program have in common. */
    record Shape(PackedReadings.Layout layout, Optional<LaunchSignature> launch) {}

    /** @param bytes of the report */
    ReportDictionary(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes note of the next kind. */
    void kindAt(int start, int length) {
        int begin = begin(start, length);
        int count = kinds.count();
        inRow &= begin >= 0 && bytes[begin] == KINDS_TAG && (count == 0 || begin == kinds.end(count - 1));
        kinds.add(start, length);
    }

    /** Returns where a kind's tag is that is followed by its length, if that takes as few bytes as it can. */
    private static int begin(int start, int length) {
        return start - CodedOutputStream.computeUInt32SizeNoTag(length) - 1;
    }

    /** Takes note of the next shape. */
    void shapeAt(int start, int length) {
        shapes.add(start, length);
    }

    /** Reads the kinds and shapes, once it is known where all of them are. */
    void read() throws IOException {
        known = known();
        for (int i = 0; i < shapes.count(); i++) {
            drafts.add(readShape(CodedInputStream.newInstance(bytes, shapes.start(i), shapes.length(i))));
        }
    }

    private Known known() throws IOException {
        int count = kinds.count();
        ByteRange all = count == 0 || !inRow
                ? NOTHING
                : new ByteRange(bytes, begin(kinds.start(0), kinds.length(0)), kinds.end(count - 1));
        Known before = all.length() == 0 ? null : KNOWN.get(all);
        if (before != null) {
            return before;
        }
        Known made = new Known(KindTable.read(bytes, kinds), new ConcurrentHashMap<>());
        if (all.length() > 0 && all.length() <= LONGEST) {
            put(KNOWN, all, made, MOST_KNOWN);
        }
        return made;
    }

    private static <T> void put(Map<ByteRange, T> map, ByteRange key, T value, int most) {
        if (map.size() >= most) {
            map.clear();
        }
        map.put(key.copy(), value);
    }

    private Draft readShape(CodedInputStream input) throws IOException {
        List<Integer> numbers = new ArrayList<>(0);
        // The numbers of kinds are one field, unless another release writes them one by one.
        int fields = 0;
        ByteRange key = NOTHING;
        Optional<LaunchSignature> launch = Optional.empty();
        boolean more = true;
        while (more) {
            int tag = input.readTag();
            switch (tag) {
                case ShapeProto.KIND_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT -> {
                    numbers.addAll(numbersOf(key));
                    key = NOTHING;
                    numbers.add(input.readUInt32());
                    fields += 2;
                }
                case ShapeProto.KIND_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES -> {
                    if (fields > 0) {
                        numbers.addAll(numbersOf(key));
                    }
                    byte[] packed = input.readByteArray();
                    key = new ByteRange(packed, 0, packed.length);
                    fields++;
                }
                case ShapeProto.LAUNCH_SIGNATURE_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.FIXED64 ->
                    launch = Optional.of(new LaunchSignature(input.readFixed64()));
                default -> more = !HeartbeatReader.isEnd(tag, input);
            }
        }
        PackedReadings.Layout layout = fields > 1 ? null : known.layouts().get(key);
        if (layout == null) {
            numbers.addAll(numbersOf(key));
        }
        return new Draft(layout, numbers, fields > 1 ? null : key, launch);
    }

    private static List<Integer> numbersOf(ByteRange packed) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        CodedInputStream input = packed.input();
        while (!input.isAtEnd()) {
            numbers.add(input.readUInt32());
        }
        return numbers;
    }

    /**
     * Returns the shapes by their numbers.
     *
     * @throws IllegalArgumentException if one of them has a kind that there is not
     */
    Shape[] shapes() {
        Shape[] understood = new Shape[drafts.size()];
        for (int i = 0; i < understood.length; i++) {
            Draft draft = drafts.get(i);
            understood[i] = new Shape(draft.layout() == null ? layout(draft) : draft.layout(), draft.launch());
        }
        return understood;
    }

    private PackedReadings.Layout layout(Draft draft) {
        // Of a shape before this one, perhaps.
        PackedReadings.Layout before =
                draft.key() == null ? null : known.layouts().get(draft.key());
        if (before != null) {
            return before;
        }
        PackedReadings.Layout made = known.kinds().layout(draft.numbers());
        if (draft.key() != null && draft.key().length() <= LONGEST) {
            put(known.layouts(), draft.key(), made, MOST_LAYOUTS);
        }
        return made;
    }

    /** Returns how many layouts are kept. */
    static int keptLayouts() {
        return KNOWN.values().stream().mapToInt(one -> one.layouts().size()).sum();
    }
}
