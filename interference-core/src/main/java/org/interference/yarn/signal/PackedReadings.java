package org.interference.yarn.signal;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * One container's readings, kept as the figures alone; which figure belongs to which signal is shared by many
 * containers. Immutable. A reading is made when it is asked for.
 *
 * <p>A ResourceManager of 10,000 nodes replaces 400,000 of these every second, and few of them are ever looked at.
 */
public final class PackedReadings extends AbstractMap<Signal, Reading> {
    private final Layout layout;
    private final float[] figures;

    private PackedReadings(Layout layout, float[] figures) {
        this.layout = layout;
        this.figures = figures;
    }

    boolean isMeasured() {
        return layout.measured;
    }

    InterferenceVector newest() {
        return InterferenceVector.at(layout.levels, figures);
    }

    boolean isPlausible() {
        for (int i = 0; i < layout.highest.length; i++) {
            if (figures[i] > layout.highest[i]) {
                return false;
            }
        }
        return true;
    }

    /** The same object for all containers of one layout; not to be changed. */
    EnumSet<Signal> measuredSignals() {
        return layout.measuredSignals();
    }

    /** Makes one signal's reading from the figures of its container: always a measurement, or never. */
    @FunctionalInterface
    public interface Slot {
        Reading reading(float[] figures);
    }

    /** Where the figures of each signal are. Immutable. */
    public static final class Layout {
        private final Map<Signal, Slot> slots;
        private final float[] highest;

        private final boolean measured;
        /** Where the newest level of each signal is, by its id; -1 for one that is not measured. */
        private final int[] levels = InterferenceVector.noPlaces();

        /** Made when first asked for: most layouts are replaced before that. */
        private volatile EnumSet<Signal> measuredSignals;

        /** @param highest that each figure can plausibly be which {@code slots} read; a container has at least as many */
        public Layout(Map<Signal, Slot> slots, float[] highest) {
            EnumMap<Signal, Slot> copy = new EnumMap<>(Signal.class);
            copy.putAll(slots);
            this.slots = Collections.unmodifiableMap(copy);
            this.highest = highest.clone();
            float[] places = new float[highest.length];
            for (int i = 0; i < places.length; i++) {
                places[i] = i;
            }
            copy.forEach((signal, slot) -> {
                if (signal.isPredictor() && slot.reading(places) instanceof Reading.Measured measured) {
                    levels[signal.id()] = (int) measured.level();
                }
            });
            this.measured = Arrays.stream(levels).anyMatch(place -> place >= 0);
        }

        private EnumSet<Signal> measuredSignals() {
            EnumSet<Signal> known = measuredSignals;
            if (known == null) {
                EnumSet<Signal> signals = EnumSet.noneOf(Signal.class);
                float[] zeros = new float[highest.length];
                slots.forEach((signal, slot) -> {
                    if (slot.reading(zeros) instanceof Reading.Measured) {
                        signals.add(signal);
                    }
                });
                known = signals;
                // Two threads may both make it; they make the same.
                measuredSignals = known;
            }
            return known;
        }

        /**
         * Returns the readings that {@code figures} hold, all of them finite and {@code >= 0}. The array is not copied: the
         * caller gives it away.
         *
         * @throws IllegalArgumentException if figures are missing or one of them is no level
         */
        public PackedReadings of(float[] figures) {
            if (figures.length < highest.length) {
                throw new IllegalArgumentException(
                        "%d figures, but %d are read".formatted(figures.length, highest.length));
            }
            for (int i = 0; i < highest.length; i++) {
                if (!(figures[i] >= 0 && figures[i] <= Float.MAX_VALUE)) {
                    throw new IllegalArgumentException("a level must be finite and >= 0, got " + figures[i]);
                }
            }
            return new PackedReadings(this, figures);
        }
    }

    @Override
    public Reading get(Object signal) {
        Slot slot = layout.slots.get(signal);
        return slot == null ? null : slot.reading(figures);
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
                        return Map.entry(slot.getKey(), slot.getValue().reading(figures));
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
