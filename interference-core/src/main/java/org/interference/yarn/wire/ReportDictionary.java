package org.interference.yarn.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.PackedReadings;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.proto.KindProto;
import org.interference.yarn.wire.proto.StatusProto;

/** The kinds and shapes of one report, which its containers name by their numbers, and what they mean. */
final class ReportDictionary {
    /**
     * What most nodes have in common, so that it is kept once and not with each report of each node. Of more than {@link #MOST_LAYOUTS},
     * which only a node that invents its kinds has, all are forgotten.
     */
    private static final Map<List<Kind>, PackedReadings.Layout> LAYOUTS = new ConcurrentHashMap<>();

    private static final int MOST_LAYOUTS = 1024;
    /** Of more kinds, which only a node that repeats them has, each report keeps its own. */
    private static final int MOST_KINDS = 4 * Signal.values().length;
    /** In characters of sources and reasons; of a node that says more, each report keeps its own. */
    private static final int LONGEST_LAYOUT = 4096;

    private final List<Kind> kinds = new ArrayList<>();
    private final List<DraftShape> shapes = new ArrayList<>();

    /** What {@link KindProto} says; the status is null if it is one of a newer peer. */
    record Kind(int signal, StatusProto status, String source, String reason, boolean clipped) {
        /** How many values a container has of it, also where the status is not known. */
        int figures() {
            if (status == StatusProto.UNAVAILABLE) {
                return 0;
            }
            return clipped ? 3 : 2;
        }
    }

    /** A shape whose kinds are still only numbers. */
    record DraftShape(List<Integer> kinds, Optional<LaunchSignature> launch) {}

    /** What the containers of one program have in common. */
    record Shape(PackedReadings.Layout layout, Optional<LaunchSignature> launch) {}

    void add(Kind kind) {
        kinds.add(kind);
    }

    void add(DraftShape shape) {
        shapes.add(shape);
    }

    /**
     * Returns the shapes by their numbers, once all kinds are known.
     *
     * @throws IllegalArgumentException if one of them has a kind that there is not
     */
    Shape[] shapes() {
        // Programs differ in their launch, but mostly not in what can be measured of them.
        Map<List<Integer>, PackedReadings.Layout> layouts = new HashMap<>();
        Shape[] understood = new Shape[shapes.size()];
        for (int i = 0; i < understood.length; i++) {
            DraftShape shape = shapes.get(i);
            understood[i] = new Shape(layouts.computeIfAbsent(shape.kinds(), this::layout), shape.launch());
        }
        return understood;
    }

    private PackedReadings.Layout layout(List<Integer> indices) {
        List<Kind> its = new ArrayList<>(indices.size());
        for (int index : indices) {
            if (index < 0 || index >= kinds.size()) {
                throw new IllegalArgumentException("kind %d of %d".formatted(index, kinds.size()));
            }
            its.add(kinds.get(index));
        }
        if (!isShort(its)) {
            return layoutOf(its);
        }
        PackedReadings.Layout known = LAYOUTS.get(its);
        if (known == null) {
            known = layoutOf(its);
            if (LAYOUTS.size() >= MOST_LAYOUTS) {
                LAYOUTS.clear();
            }
            LAYOUTS.put(its, known);
        }
        return known;
    }

    private static boolean isShort(List<Kind> kinds) {
        return kinds.size() <= MOST_KINDS
                && kinds.stream()
                                .mapToInt(kind ->
                                        kind.source().length() + kind.reason().length())
                                .sum()
                        <= LONGEST_LAYOUT;
    }

    /** Returns how many layouts are kept. */
    static int keptLayouts() {
        return LAYOUTS.size();
    }

    private static PackedReadings.Layout layoutOf(List<Kind> kinds) {
        Map<Signal, PackedReadings.Slot> slots = new EnumMap<>(Signal.class);
        float[] highest = new float[kinds.stream().mapToInt(Kind::figures).sum()];
        Arrays.fill(highest, Float.MAX_VALUE);
        int next = 0;
        for (Kind kind : kinds) {
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
}
