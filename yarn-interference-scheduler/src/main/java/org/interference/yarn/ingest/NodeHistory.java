package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;

/**
 * What each node said of itself in the last hours, as means of whole minutes. Thread-safe.
 *
 * <p>A value takes one byte: of a share in steps of 1/250, of others within 5 % from 0.5 to 2e9, beyond which it is the bound. So 10,000 nodes of 8
 * metrics and 180 minutes take 16 MB.
 */
public final class NodeHistory {
    private static final Duration STEP = Duration.ofMinutes(1);

    private static final int ABSENT = 0;
    private static final int ZERO = 1;
    private static final int LARGEST = 255;
    private static final double STEPS_OF_A_SHARE = 250;
    private static final double STEPS_OF_A_DOUBLING = 8;
    private static final double SMALLEST = 0.5;

    private final int minutes;
    private final List<NodeMetric> metrics;
    private final ConcurrentMap<String, Ring> rings = new ConcurrentHashMap<>();

    /**
     * @param minutes how long it goes back; 0 keeps nothing
     * @param metrics that are kept
     */
    public NodeHistory(int minutes, List<NodeMetric> metrics) {
        this.minutes = minutes;
        this.metrics = List.copyOf(metrics);
    }

    /**
     * What a node said of itself, minute by minute.
     *
     * @param from when the first minute begins
     * @param step between two values
     * @param values of each metric that was ever told, as many as there are minutes; empty where it was not told
     */
    public record Series(Instant from, Duration step, Map<NodeMetric, List<Optional<Double>>> values) {}

    /** Takes what {@code node} says of itself. */
    void add(String node, NodeFigures figures, Instant at) {
        if (minutes > 0 && !figures.equals(NodeFigures.EMPTY)) {
            rings.computeIfAbsent(node, name -> new Ring()).add(figures, minute(at));
        }
    }

    void forget(String node) {
        rings.remove(node);
    }

    /** Returns the minutes up to the last whole one; empty if the node said nothing in them. */
    public Optional<Series> of(String node, Instant now) {
        return Optional.ofNullable(rings.get(node)).flatMap(ring -> ring.series(minute(now)));
    }

    private static long minute(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), STEP.toMillis());
    }

    /** Of one node: the minute under way as sums, and those before it as bytes. */
    private final class Ring {
        private final byte[] cells = new byte[metrics.size() * minutes];
        private final float[] sums = new float[metrics.size()];
        private final int[] counts = new int[metrics.size()];
        /** The minute under way. */
        private long current = Long.MIN_VALUE;

        private synchronized void add(NodeFigures figures, long minute) {
            if (minute > current) {
                turnTo(minute);
            }
            // A clock that was set back adds to the minute under way.
            for (int i = 0; i < sums.length; i++) {
                if (figures.value(metrics.get(i)).isPresent()) {
                    sums[i] += (float) figures.value(metrics.get(i)).getAsDouble();
                    counts[i]++;
                }
            }
        }

        private void turnTo(long minute) {
            if (current != Long.MIN_VALUE) {
                write(current, true);
                for (long skipped = Math.max(current + 1, minute - minutes); skipped < minute; skipped++) {
                    write(skipped, false);
                }
            }
            current = minute;
            Arrays.fill(sums, 0);
            Arrays.fill(counts, 0);
        }

        private void write(long minute, boolean told) {
            for (int i = 0; i < sums.length; i++) {
                cells[place(i, minute)] =
                        (byte) (told && counts[i] > 0 ? encoded(metrics.get(i), sums[i] / counts[i]) : ABSENT);
            }
        }

        private int place(int metric, long minute) {
            return metric * minutes + (int) Math.floorMod(minute, (long) minutes);
        }

        private synchronized Optional<Series> series(long now) {
            if (now > current) {
                turnTo(now);
            }
            long first = current - minutes;
            long from = current;
            for (long minute = current - 1; minute >= first; minute--) {
                for (int i = 0; i < sums.length; i++) {
                    from = cells[place(i, minute)] == ABSENT ? from : minute;
                }
            }
            if (from == current) {
                return Optional.empty();
            }
            Map<NodeMetric, List<Optional<Double>>> values = new EnumMap<>(NodeMetric.class);
            for (int i = 0; i < sums.length; i++) {
                List<Optional<Double>> told = new ArrayList<>();
                for (long minute = from; minute < current; minute++) {
                    told.add(decoded(metrics.get(i), Byte.toUnsignedInt(cells[place(i, minute)])));
                }
                if (told.stream().anyMatch(Optional::isPresent)) {
                    values.put(metrics.get(i), Collections.unmodifiableList(told));
                }
            }
            return Optional.of(new Series(
                    Instant.ofEpochMilli(from * STEP.toMillis()), STEP, Collections.unmodifiableMap(values)));
        }
    }

    private static int encoded(NodeMetric metric, double value) {
        if (metric.unit() == NodeMetric.Unit.SHARE) {
            return ZERO + (int) Math.round(Math.min(1, value) * STEPS_OF_A_SHARE);
        }
        if (value < SMALLEST / 2) {
            return ZERO;
        }
        double doublings = Math.log(value / SMALLEST) / Math.log(2);
        return (int) Math.min(LARGEST, Math.max(ZERO + 1, ZERO + 1 + Math.round(STEPS_OF_A_DOUBLING * doublings)));
    }

    private static Optional<Double> decoded(NodeMetric metric, int cell) {
        if (cell == ABSENT) {
            return Optional.empty();
        }
        if (metric.unit() == NodeMetric.Unit.SHARE) {
            return Optional.of((cell - ZERO) / STEPS_OF_A_SHARE);
        }
        return Optional.of(cell == ZERO ? 0 : SMALLEST * Math.pow(2, (cell - ZERO - 1) / STEPS_OF_A_DOUBLING));
    }
}
