package org.interference.yarn.signal;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * One container's readings, kept as the figures alone, each a {@link ShortFloat} as it came from the node; which figure belongs to which signal
 * is shared by many containers. Immutable. A reading is made when it is asked for.
 *
 * <p>A ResourceManager of 10,000 nodes replaces 400,000 of these every second, and few of them are ever looked at.
 */
public final class PackedReadings extends AbstractMap<Signal, Reading> {
    private final Layout layout;
    private final byte[] figures;
    private final boolean plausible;

    private PackedReadings(Layout layout, byte[] figures, boolean plausible) {
        this.layout = layout;
        this.figures = figures;
        this.plausible = plausible;
    }

    boolean isMeasured() {
        return layout.measured;
    }

    InterferenceVector newest() {
        return InterferenceVector.at(layout.levels, figures);
    }

    boolean isPlausible() {
        return plausible;
    }

    /** Returns the newest level; not a number if it is not measured. */
    double level(Signal signal) {
        int place = layout.levels[signal.id()];
        return place < 0 ? Double.NaN : ShortFloat.read(figures, place);
    }

    /** The same object for all containers of one layout; not to be changed. */
    EnumSet<Signal> measuredSignals() {
        return layout.measuredSignals;
    }

    /** How one signal's reading is made from the figures of its container. */
    public sealed interface Slot {
        /** There is no measurement in any container of the layout. */
        record Never(Reading.Unavailable reading) implements Slot {}

        /**
         * There is one in every container.
         *
         * @param level the number of its level among the container's figures, from 0
         * @param mean that of its mean
         * @param raw that of what its level was before clipping
         */
        record Always(int level, int mean, int raw, boolean apportioned, String source) implements Slot {}
    }

    private static Reading reading(Slot slot, byte[] figures) {
        if (slot instanceof Slot.Always always) {
            return new Reading.Measured(
                    figure(figures, always.level()),
                    figure(figures, always.mean()),
                    figure(figures, always.raw()),
                    always.apportioned(),
                    always.source());
        }
        return ((Slot.Never) slot).reading();
    }

    private static float figure(byte[] figures, int number) {
        return ShortFloat.read(figures, ShortFloat.BYTES * number);
    }

    /** Where the figures of each signal are. Immutable. */
    public static final class Layout {
        private final Map<Signal, Slot> slots;
        private final float[] highest;
        /** By the number of the figure, the magnitude of its highest plausible value. */
        private final int[] magnitudes;

        private final boolean measured;
        /** Where the newest level of each signal begins, by its id; -1 for one that is not measured. */
        private final int[] levels = InterferenceVector.noPlaces();

        private final EnumSet<Signal> measuredSignals = EnumSet.noneOf(Signal.class);

        /** @param highest that each figure can plausibly be which {@code slots} read; a container has at least as many */
        public Layout(Map<Signal, Slot> slots, float[] highest) {
            EnumMap<Signal, Slot> copy = new EnumMap<>(Signal.class);
            copy.putAll(slots);
            this.slots = Collections.unmodifiableMap(copy);
            this.highest = highest.clone();
            this.magnitudes = new int[highest.length];
            for (int i = 0; i < highest.length; i++) {
                magnitudes[i] = ShortFloat.magnitude(highest[i]);
            }
            copy.forEach((signal, slot) -> {
                if (slot instanceof Slot.Always always) {
                    levels[signal.id()] = ShortFloat.BYTES * always.level();
                    measuredSignals.add(signal);
                }
            });
            this.measured = measuredSignals.stream().anyMatch(Signal::isPredictor);
        }

        /**
         * Returns the readings that {@code figures} hold, all of them finite. The array is not copied: the caller gives it away.
         *
         * @param figures each a {@link ShortFloat}, from the beginning of the array
         * @param length of them, in bytes
         * @throws IllegalArgumentException if figures are missing or one of them is no level
         */
        public PackedReadings of(byte[] figures, int length) {
            if (length < ShortFloat.BYTES * magnitudes.length || length % ShortFloat.BYTES != 0) {
                throw new IllegalArgumentException("%d bytes of figures, but %d figures of %d are read"
                        .formatted(length, magnitudes.length, ShortFloat.BYTES));
            }
            boolean plausible = true;
            for (int i = 0; i < magnitudes.length; i++) {
                int magnitude = ShortFloat.magnitude(figures, ShortFloat.BYTES * i);
                if (magnitude >= magnitudes[i]) {
                    if (!ShortFloat.isFinite(magnitude)) {
                        throw new IllegalArgumentException(
                                "a level must be finite and >= 0, got " + figure(figures, i));
                    }
                    plausible &= figure(figures, i) <= highest[i];
                }
            }
            return new PackedReadings(this, figures, plausible);
        }
    }

    @Override
    public Reading get(Object signal) {
        Slot slot = layout.slots.get(signal);
        return slot == null ? null : reading(slot, figures);
    }

    @Override
    public boolean containsKey(Object signal) {
        return layout.slots.containsKey(signal);
    }

    @Override
    public Set<Entry<Signal, Reading>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<Signal, Reading>> iterator() {
                Iterator<Entry<Signal, Slot>> slots = layout.slots.entrySet().iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return slots.hasNext();
                    }

                    @Override
                    public Entry<Signal, Reading> next() {
                        Entry<Signal, Slot> slot = slots.next();
                        return Map.entry(slot.getKey(), reading(slot.getValue(), figures));
                    }
                };
            }

            @Override
            public int size() {
                return layout.slots.size();
            }
        };
    }
}
