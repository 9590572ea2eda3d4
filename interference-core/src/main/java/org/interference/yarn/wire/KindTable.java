package org.interference.yarn.wire;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.PackedReadings;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.StatusProto;

/** The kinds of one report, by their numbers. Immutable. */
final class KindTable {
    private final List<Kind> kinds;

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

    private KindTable(List<Kind> kinds) {
        this.kinds = kinds;
    }

    /** Reads the kinds that are at {@code extents} of {@code bytes}. */
    static KindTable read(byte[] bytes, Extents extents) throws IOException {
        List<Kind> kinds = new ArrayList<>(extents.count());
        for (int i = 0; i < extents.count(); i++) {
            kinds.add(readKind(CodedInputStream.newInstance(bytes, extents.start(i), extents.length(i))));
        }
        return new KindTable(kinds);
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
                case KindProto.SIGNAL_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT -> signal = input.readUInt32();
                case KindProto.STATUS_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT -> status = input.readEnum();
                case KindProto.SOURCE_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    source = input.readStringRequireUtf8();
                case KindProto.REASON_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.BYTES ->
                    reason = input.readStringRequireUtf8();
                case KindProto.CLIPPED_FIELD_NUMBER << WireTag.TYPE_BITS | WireTag.VARINT -> clipped = input.readBool();
                default -> {
                    if (HeartbeatReader.isEnd(tag, input)) {
                        return new Kind(signal, StatusProto.forNumber(status), source, reason, clipped);
                    }
                }
            }
        }
    }

    /**
     * Returns how the figures of a container with these kinds are laid out.
     *
     * @throws IllegalArgumentException if there is no kind of one of these numbers
     */
    PackedReadings.Layout layout(List<Integer> numbers) {
        List<Kind> its = new ArrayList<>(numbers.size());
        for (int number : numbers) {
            if (number < 0 || number >= kinds.size()) {
                throw new IllegalArgumentException("kind %d of %d".formatted(number, kinds.size()));
            }
            its.add(kinds.get(number));
        }
        Map<Signal, PackedReadings.Slot> slots = new EnumMap<>(Signal.class);
        float[] highest = new float[its.stream().mapToInt(Kind::figures).sum()];
        Arrays.fill(highest, Float.MAX_VALUE);
        int next = 0;
        for (Kind kind : its) {
            Optional<PackedReadings.Slot> slot = slot(kind, next);
            Optional<Signal> signal = Signal.ofId(kind.signal());
            if (slot.isPresent() && signal.isPresent()) {
                slots.put(signal.get(), slot.get());
                // Level and mean; what the level was before clipping teaches nobody.
                int bounded = Math.min(2, kind.figures());
                Arrays.fill(highest, next, next + bounded, (float) signal.get().highest());
            }
            next += kind.figures();
        }
        return new PackedReadings.Layout(slots, highest);
    }

    /** Returns nothing for a status of a newer peer. */
    private static Optional<PackedReadings.Slot> slot(Kind kind, int at) {
        String source = kind.source();
        if (kind.status() == StatusProto.UNAVAILABLE) {
            return Optional.of(new PackedReadings.Slot.Never(new Reading.Unavailable(kind.reason(), source)));
        }
        if (kind.status() == StatusProto.OK || kind.status() == StatusProto.APPORTIONED) {
            boolean apportioned = kind.status() == StatusProto.APPORTIONED;
            int raw = kind.clipped() ? at + 2 : at;
            return Optional.of(new PackedReadings.Slot.Always(at, at + 1, raw, apportioned, source));
        }
        return Optional.empty();
    }
}
