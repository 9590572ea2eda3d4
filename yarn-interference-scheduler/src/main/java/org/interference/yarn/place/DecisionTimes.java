package org.interference.yarn.place;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** How long decisions took, as a histogram. Thread-safe; recording takes no lock and makes no object. */
public final class DecisionTimes {
    private static final int[] BOUNDS_MICROS = {
        10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000
    };
    private static final long[] BOUNDS_NANOS =
            Arrays.stream(BOUNDS_MICROS).mapToLong(micros -> micros * 1000L).toArray();

    /** One for each bound, and one for what took longer. */
    private final LongAdder[] counts =
            Stream.generate(LongAdder::new).limit(BOUNDS_NANOS.length + 1L).toArray(LongAdder[]::new);

    private final LongAdder nanos = new LongAdder();

    DecisionTimes() {}

    void record(long took) {
        int place = 0;
        // Most are among the first: a search by halves would look at as many.
        while (place < BOUNDS_NANOS.length && took > BOUNDS_NANOS[place]) {
            place++;
        }
        counts[place].increment();
        nanos.add(took);
    }

    Snapshot snapshot() {
        TreeMap<Integer, Long> withinMicros = new TreeMap<>();
        long count = 0;
        for (int i = 0; i < BOUNDS_MICROS.length; i++) {
            count += counts[i].sum();
            withinMicros.put(BOUNDS_MICROS[i], count);
        }
        return new Snapshot(withinMicros, count + counts[BOUNDS_MICROS.length].sum(), Duration.ofNanos(nanos.sum()));
    }

    /**
     * The times until one moment. Immutable.
     *
     * @param withinMicros how many took so many microseconds, or less
     * @param count all of them
     */
    public record Snapshot(SortedMap<Integer, Long> withinMicros, long count, Duration sum) {
        public Snapshot {
            withinMicros = Collections.unmodifiableSortedMap(new TreeMap<>(withinMicros));
        }
    }
}
