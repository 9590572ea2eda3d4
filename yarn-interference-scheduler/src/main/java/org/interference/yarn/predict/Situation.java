package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * A task beside its neighbours, as the figures that models are trained on and asked with. Immutable.
 *
 * <p>The figures, in the order of {@link #NAMES}: the task's own level of each signal ({@code own.cpu}; not a number if it has
 * none), what its neighbours press together on it ({@code beside.cpu}: a sum, for a ratio one weighted by CPU; 0 if nobody has
 * a level), how many neighbours are known ({@code beside.count}), and {@link Parts}. One more neighbour never lowers a figure.
 *
 * <p>Levels are fractions of the node's own capacity already; no other fact of the node takes part.
 */
public final class Situation {
    /** The names of all but {@link Parts}, which earlier releases do not have. */
    public static final List<String> WITHOUT_PARTS = Stream.of(
                    Signal.predictors().stream().map(signal -> "own." + signal.wireName()),
                    Signal.predictors().stream().map(signal -> "beside." + signal.wireName()),
                    Stream.of("beside.count"))
            .flatMap(names -> names)
            .toList();

    /** What a stored model is checked against: names or order that differ make another schema. */
    public static final List<String> NAMES =
            Stream.concat(WITHOUT_PARTS.stream(), Parts.NAMES.stream()).toList();

    private static final Signal[] SIGNALS = Signal.predictors().toArray(Signal[]::new);
    /** Where each signal is among the own figures, by its id. */
    private static final int[] PLACES =
            new int[Stream.of(SIGNALS).mapToInt(Signal::id).max().orElse(0) + 1];

    static {
        for (int i = 0; i < SIGNALS.length; i++) {
            PLACES[SIGNALS[i].id()] = i;
        }
    }

    /** How many signals there are, and where the neighbours' figures begin. */
    static final int OWN = SIGNALS.length;

    static final int COUNT = 2 * OWN;
    /** Where the figures of {@link Parts} begin. */
    static final int PARTS = COUNT + 1;

    static final int SIZE = PARTS + Parts.SIZE;

    private final double[] figures;

    private Situation(double[] figures) {
        this.figures = figures;
    }

    public static Situation of(InterferenceVector task, Neighbours neighbours) {
        double[] figures = new double[SIZE];
        for (int i = 0; i < OWN; i++) {
            figures[i] = task.levelOr(SIGNALS[i], Double.NaN);
            figures[OWN + i] = neighbours.sum(SIGNALS[i]);
        }
        figures[COUNT] = neighbours.measured();
        for (int i = 0; i < Parts.SIZE; i++) {
            figures[PARTS + i] = neighbours.part(i);
        }
        return new Situation(figures);
    }

    /**
     * Returns the situation of which a release without {@link Parts} has kept the rest: as if all neighbours wanted alike.
     *
     * @param whole figures, as many as there are before the parts
     * @throws IllegalArgumentException as {@link #of(double[])}
     */
    public static Situation withoutParts(double[] whole) {
        if (whole.length != PARTS) {
            throw new IllegalArgumentException(
                    "without parts a situation has %d figures, got %d".formatted(PARTS, whole.length));
        }
        double[] figures = Arrays.copyOf(whole, SIZE);
        double neighbours = Math.max(1, whole[COUNT]);
        for (int i = 0; i < Parts.SIZE; i++) {
            double each = whole[OWN + place(Parts.signal(i))] / neighbours;
            figures[PARTS + i] = neighbours * Math.min(each, Parts.at(i));
        }
        return of(figures);
    }

    /**
     * Returns the situation with these figures.
     *
     * @throws IllegalArgumentException if there are not as many as {@link #NAMES}, or the neighbours' are not finite and {@code
     *     >= 0}
     */
    public static Situation of(double[] figures) {
        if (figures.length != SIZE) {
            throw new IllegalArgumentException("a situation has %d figures, got %d".formatted(SIZE, figures.length));
        }
        for (int i = OWN; i < SIZE; i++) {
            if (!(figures[i] >= 0 && figures[i] <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                        "%s must be finite and >= 0, got %s".formatted(NAMES.get(i), figures[i]));
            }
        }
        return new Situation(figures.clone());
    }

    /** Returns this situation with one neighbour more, who adds {@code pressure}. */
    public Situation with(Pressure pressure) {
        double[] next = figures.clone();
        double[] added = pressure.array();
        for (int i = OWN; i < SIZE; i++) {
            next[i] += added[i - OWN];
        }
        return new Situation(next);
    }

    /** Returns whether nobody of whom anything is known is beside the task. */
    public boolean isAlone() {
        for (int i = OWN; i < SIZE; i++) {
            if (figures[i] > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the figure at {@code index} of {@link #NAMES}; not a number if the task has no such level. */
    public double figure(int index) {
        return figures[index];
    }

    /** Returns the task's own level of {@code signal}. */
    public OptionalDouble own(Signal signal) {
        double level = figures[place(signal)];
        return Double.isNaN(level) ? OptionalDouble.empty() : OptionalDouble.of(level);
    }

    /** Returns what the neighbours press together on {@code signal}; 0 if nobody has a level. */
    public double beside(Signal signal) {
        return figures[OWN + place(signal)];
    }

    /** Returns this situation with nobody beside the task. */
    public Situation alone() {
        double[] next = figures.clone();
        Arrays.fill(next, OWN, SIZE, 0);
        return new Situation(next);
    }

    /** Returns this situation for {@code task}. */
    public Situation of(InterferenceVector task) {
        double[] next = figures.clone();
        for (int i = 0; i < OWN; i++) {
            next[i] = task.levelOr(SIGNALS[i], Double.NaN);
        }
        return new Situation(next);
    }

    /**
     * Returns this situation with its neighbours moved towards those of {@code other}: how a mean over time is kept.
     *
     * @param share of {@code other}, from 0 to 1
     */
    public Situation mixedWith(Situation other, double share) {
        double[] next = figures.clone();
        for (int i = OWN; i < SIZE; i++) {
            next[i] += share * (other.figures[i] - next[i]);
        }
        return new Situation(next);
    }

    /** Returns all figures, in the order of {@link #NAMES}. */
    public DoubleStream figures() {
        return Arrays.stream(figures);
    }

    /**
     * Returns this situation with one neighbour more, who adds {@code pressure}, no figure of the neighbours above {@code highest}, and nothing of what
     * has no bound there.
     */
    Situation with(Pressure pressure, double[] highest) {
        double[] next = new double[SIZE];
        double[] added = pressure.array();
        for (int i = 0; i < OWN; i++) {
            next[i] = Double.isNaN(highest[i]) ? Double.NaN : figures[i];
        }
        for (int i = OWN; i < SIZE; i++) {
            next[i] = Double.isNaN(highest[i]) ? 0 : Math.min(figures[i] + added[i - OWN], highest[i]);
        }
        return new Situation(next);
    }

    /** Returns this situation with the levels that {@code known} says; others are nobody's. */
    Situation only(IntPredicate known) {
        double[] next = figures.clone();
        for (int i = 0; i < COUNT; i++) {
            if (!known.test(i)) {
                next[i] = i < OWN ? Double.NaN : 0;
            }
        }
        for (int i = PARTS; i < SIZE; i++) {
            if (!known.test(i)) {
                next[i] = 0;
            }
        }
        return new Situation(next);
    }

    /** Returns where the own level of {@code signal} is in {@link #NAMES}. */
    static int place(Signal signal) {
        return PLACES[signal.id()];
    }

    double[] array() {
        return figures;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Situation that && Arrays.equals(figures, that.figures);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(figures);
    }

    @Override
    public String toString() {
        return Arrays.toString(figures);
    }
}
