package org.interference.yarn.degradation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * Slowdown factors by shared resource and how hard it is pressed; the predictor of task slowdowns has them from here, and plans those that
 * were published. Immutable.
 *
 * <p>{@link #PUBLISHED}: CPU, memory, disk and cache are Xavier, PUCRS 2019, Table 6.2 ({@link Level}). That table has no network column (its
 * "affinity" column prices placing talking tiers apart, which is another question), so network is IADA's (JSS 2022). All were measured on
 * web applications, not on Hadoop: they rank, they do not forecast (ADR-0005). What the same method says of a machine of one's own, {@code
 * bin/measure-degradation} measures; its text is what {@link #parse} reads.
 */
public final class DegradationTable {
    /** The middle of class Moderate (Table 6.1). */
    public static final double MODERATE = 0.355;

    /** What {@link #parse} reads as {@link #PUBLISHED}. */
    public static final String PUBLISHED_NAME = "published";

    /** What was published. */
    public static final DegradationTable PUBLISHED = new DegradationTable(List.of(
            row(Signal.CPU, Resource.CPU),
            row(Signal.MBW, Resource.MEMORY),
            row(Signal.BLK, Resource.DISK),
            row(Signal.LLOCC, Resource.CACHE),
            new Row(Signal.NETP, 1.13, 1.43, 1.62)));

    private final List<Row> rows;

    private DegradationTable(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    private static Row row(Signal signal, Resource resource) {
        return new Row(
                signal,
                Level.LOW.degradation(resource),
                Level.MODERATE.degradation(resource),
                Level.HIGH.degradation(resource));
    }

    /**
     * One shared resource: the signal that says how hard it is pressed, and the factor of each class but Absent.
     *
     * <p>A factor stands at the middle of its class. Between the classes it is linear, and beyond the last it goes on with
     * the same slope: as steps, the table would make further harm free on a node that is already in class High.
     */
    public record Row(Signal signal, double low, double moderate, double high) {
        /** The middles of Absent 0 %, Low 1-20 %, Moderate 21-50 % and High 51-100 % (Table 6.1). */
        private static final double[] LEVELS = {0, 0.105, MODERATE, 0.755};

        /** More than any neighbour was ever measured to cost; a sum of products of it stays finite. */
        private static final double HIGHEST = 1000;

        /** @throws IllegalArgumentException unless {@code 1 <= low <= moderate <= high <= 1000} */
        public Row {
            if (!(1 <= low && low <= moderate && moderate <= high && high <= HIGHEST)) {
                throw new IllegalArgumentException(
                        "the factors of '%s' must rise from 1 or more to 1000 or less, got %s, %s, %s"
                                .formatted(signal.wireName(), low, moderate, high));
            }
        }

        /** Returns the factor at {@code level}, the pressure of all neighbours on this resource. */
        public double factor(double level) {
            if (level <= LEVELS[1]) {
                return between(1, low, 1, level);
            }
            return level <= LEVELS[2] ? between(low, moderate, 2, level) : between(moderate, high, 3, level);
        }

        /** Returns what is linear between the classes before {@code upper} and that one. */
        private static double between(double before, double factor, int upper, double level) {
            double slope = (factor - before) / (LEVELS[upper] - LEVELS[upper - 1]);
            return factor + slope * (level - LEVELS[upper]);
        }

        @Override
        public String toString() {
            return "%s=%s/%s/%s".formatted(signal.wireName(), low, moderate, high);
        }
    }

    /**
     * Returns the table that {@code text} writes: {@value #PUBLISHED_NAME}, or for each resource that differs from what was published its
     * signal and the factors of Low, Moderate and High, as in {@code cpu=1.03/1.15/1.33, blk=1.12/1.82/2.25}. It reads what {@link
     * #toString} writes.
     *
     * @throws IllegalArgumentException if it is neither, names a signal that the published table has no row of, or one twice, or if factors
     *     fall from one class to the next or are below 1
     */
    public static DegradationTable parse(String text) {
        if (text.strip().equals(PUBLISHED_NAME)) {
            return PUBLISHED;
        }
        List<Row> given = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Row row = parsedRow(one.strip());
            if (given.stream().anyMatch(other -> other.signal() == row.signal())) {
                throw new IllegalArgumentException(
                        "'%s' is there twice".formatted(row.signal().wireName()));
            }
            given.add(row);
        }
        return new DegradationTable(PUBLISHED.rows.stream()
                .map(published -> given.stream()
                        .filter(row -> row.signal() == published.signal())
                        .findFirst()
                        .orElse(published))
                .toList());
    }

    private static Row parsedRow(String text) {
        String[] sides = text.split("=", -1);
        String[] factors = sides[sides.length - 1].split("/", -1);
        Optional<Signal> signal = PUBLISHED.rows.stream()
                .map(Row::signal)
                .filter(one -> one.wireName().equals(sides[0].strip()))
                .findFirst();
        if (sides.length != 2 || factors.length != 3 || signal.isEmpty()) {
            throw new IllegalArgumentException(
                    "'%s' is not one of %s with '=' and the factors of Low, Moderate and High with '/' between them"
                            .formatted(
                                    text,
                                    PUBLISHED.rows.stream()
                                            .map(row -> row.signal().wireName())
                                            .collect(Collectors.joining(", "))));
        }
        return new Row(
                signal.get(),
                Double.parseDouble(factors[0].strip()),
                Double.parseDouble(factors[1].strip()),
                Double.parseDouble(factors[2].strip()));
    }

    /**
     * Returns the factor by which a task with this load slows down others that use the same resource; at least 1.
     *
     * @param signal of a resource that has a row
     */
    public double factor(InterferenceVector load, Signal signal) {
        return rows.stream()
                .filter(row -> row.signal() == signal)
                .mapToDouble(row -> row.factor(load.levelOr(signal, 0)))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the resources in an order that does not change. */
    public List<Row> rows() {
        return rows;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DegradationTable that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    /** Returns what {@link #parse} reads: all rows, of whatever origin. */
    @Override
    public String toString() {
        return rows.stream().map(Row::toString).collect(Collectors.joining(", "));
    }
}
