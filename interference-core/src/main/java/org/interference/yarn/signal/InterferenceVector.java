package org.interference.yarn.signal;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How hard a task, a container or a node presses on each shared resource; 1.0 is the node's calibrated capacity.
 *
 * <p>A signal the host cannot measure is absent, never zero. Values above 1.0 are kept: several threads can wait at
 * once, and a low calibration must stay visible. Immutable. Levels stand in an array, because a scheduling thread asks for thousands of
 * them in a decision.
 */
public final class InterferenceVector {
    private static final Signal[] SIGNALS = Signal.values();
    static final int SIZE = Arrays.stream(SIGNALS).mapToInt(Signal::id).max().orElse(0) + 1;
    private static final int PREDICTED =
            Signal.predictors().stream().mapToInt(Signal::id).max().orElse(0) + 1;

    /** Nothing is known. */
    public static final InterferenceVector EMPTY = new InterferenceVector(Map.of());

    /** Of a task that hardly ever gets a CPU, how long it would take one is not known any more. */
    private static final double LEAST_GOING = 0.05;

    /** By {@link Signal#id}; not a number if absent. No longer than predictors need if there is nothing else in it. */
    private final double[] levels;

    /** The same as a map, made when it is first asked for. */
    private volatile Map<Signal, Double> map;

    /** @throws IllegalArgumentException if a level is negative or not finite */
    public InterferenceVector(Map<Signal, Double> levels) {
        this(new double[levels.keySet().stream().allMatch(Signal::isPredictor) ? PREDICTED : SIZE]);
        Arrays.fill(this.levels, Double.NaN);
        levels.forEach((signal, level) -> this.levels[signal.id()] = requireLevel(signal, level));
    }

    private InterferenceVector(double[] levels) {
        this.levels = levels;
    }

    /**
     * Returns the predictors' levels that stand at {@code places} of {@code figures}, all of them finite and {@code >= 0}.
     *
     * @param places by {@link Signal#id}; -1 for a signal that has none
     */
    static InterferenceVector at(int[] places, byte[] figures) {
        double[] levels = new double[PREDICTED];
        for (int i = 0; i < PREDICTED; i++) {
            levels[i] = places[i] < 0 ? Double.NaN : ShortFloat.read(figures, places[i]);
        }
        return new InterferenceVector(levels);
    }

    /** Returns a place for each signal, all of them of signals that have none. */
    static int[] noPlaces() {
        int[] places = new int[SIZE];
        Arrays.fill(places, -1);
        return places;
    }

    /** Returns the levels that there are, in the order of the signals. */
    public Map<Signal, Double> levels() {
        Map<Signal, Double> known = map;
        if (known == null) {
            EnumMap<Signal, Double> made = new EnumMap<>(Signal.class);
            for (Signal signal : SIGNALS) {
                double level = at(signal);
                if (!Double.isNaN(level)) {
                    made.put(signal, level);
                }
            }
            known = Collections.unmodifiableMap(made);
            // Two threads may both make it; they make the same.
            map = known;
        }
        return known;
    }

    private double at(Signal signal) {
        return signal.id() < levels.length ? levels[signal.id()] : Double.NaN;
    }

    /** Returns this vector without what slowdowns are not predicted from. */
    public InterferenceVector predictors() {
        return levels.length == PREDICTED ? this : new InterferenceVector(Arrays.copyOf(levels, PREDICTED));
    }

    public OptionalDouble level(Signal signal) {
        double level = at(signal);
        return Double.isNaN(level) ? OptionalDouble.empty() : OptionalDouble.of(level);
    }

    /** Returns the level of {@code signal}, or {@code absent}. */
    public double levelOr(Signal signal, double absent) {
        double level = at(signal);
        return Double.isNaN(level) ? absent : level;
    }

    /**
     * Returns what is asked for rather than what was got: who wants a CPU is on one or waits for one, so that CPU time would be {@code
     * cpu / (1 - cpuwait)} if nobody else was there. Two tasks that share one CPU show half of it each, and ask for two.
     */
    public InterferenceVector demand() {
        double cpu = levelOr(Signal.CPU, 0);
        double wait = levelOr(Signal.CPUWAIT, 0);
        if (wait == 0 || cpu == 0) {
            return this;
        }
        double[] demand = levels.clone();
        demand[Signal.CPU.id()] = cpu / Math.max(LEAST_GOING, 1 - wait);
        return new InterferenceVector(demand);
    }

    /** @param factors by {@link Signal#id} */
    InterferenceVector times(double[] factors) {
        double[] times = levels.clone();
        for (int i = 0; i < times.length; i++) {
            times[i] *= factors[i];
        }
        return new InterferenceVector(times);
    }

    /** Returns whether both have the same signals, and no level of one is off the other's by more than {@code tolerance}. */
    public boolean isLike(InterferenceVector other, double tolerance) {
        for (Signal signal : SIGNALS) {
            double mine = at(signal);
            double theirs = other.at(signal);
            boolean alike = Double.isNaN(mine) ? Double.isNaN(theirs) : Math.abs(mine - theirs) <= tolerance;
            if (!alike) {
                return false;
            }
        }
        return true;
    }

    /** Returns the higher level of both, of each signal that either has. */
    public InterferenceVector highest(InterferenceVector other) {
        double[] highest = new double[Math.max(levels.length, other.levels.length)];
        Arrays.fill(highest, Double.NaN);
        for (Signal signal : SIGNALS) {
            if (signal.id() < highest.length) {
                double mine = at(signal);
                double theirs = other.at(signal);
                highest[signal.id()] = Double.isNaN(mine) || theirs > mine ? theirs : mine;
            }
        }
        return new InterferenceVector(highest);
    }

    public boolean isEmpty() {
        for (double level : levels) {
            if (!Double.isNaN(level)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns what {@code vectors} press together: signals with {@link Signal.Combination#SUM} added, the others left
     * out, because without their references they cannot be averaged, and so are those that slowdowns are not predicted from. A signal
     * absent from every vector stays absent.
     */
    public static InterferenceVector sum(Collection<InterferenceVector> vectors) {
        double[] sum = new double[PREDICTED];
        Arrays.fill(sum, Double.NaN);
        for (InterferenceVector vector : vectors) {
            for (Signal signal : Signal.predictors()) {
                double level = vector.levels[signal.id()];
                if (signal.combination() == Signal.Combination.SUM && !Double.isNaN(level)) {
                    double before = sum[signal.id()];
                    sum[signal.id()] = Double.isNaN(before) ? level : before + level;
                }
            }
        }
        return new InterferenceVector(sum);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InterferenceVector that && Arrays.equals(levels, that.levels);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(levels);
    }

    @Override
    public String toString() {
        return levels().toString();
    }

    private static double requireLevel(Signal signal, double level) {
        if (!Double.isFinite(level) || level < 0) {
            throw new IllegalArgumentException("%s level must be finite and >= 0, got %s".formatted(signal, level));
        }
        return level;
    }
}
