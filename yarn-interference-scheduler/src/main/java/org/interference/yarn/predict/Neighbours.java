package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * The other containers of a node, as one: how many there are, and what they press together. Immutable.
 *
 * <p>Levels of signals with {@link Signal.Combination#SUM} are added. The others are ratios: what they are averaged by, their
 * references, is not known here, so CPU time stands for it ({@link #weighted}). Adding or leaving out one neighbour takes the
 * same short time however many there are, so that the cost of a placement to each of them can be asked on a scheduling thread.
 */
public final class Neighbours {
    private static final Signal[] SIGNALS = Signal.predictors().toArray(Signal[]::new);
    /** Arrays are indexed by signal id. */
    private static final int SIZE =
            Arrays.stream(SIGNALS).mapToInt(Signal::id).max().orElse(0) + 1;

    /** A task alone on its node. */
    public static final Neighbours NONE = new Neighbours(0, 0, new double[SIZE], new int[SIZE], new double[Parts.SIZE]);

    private final int count;
    /** How many have any level at all. */
    private final int measured;
    /** Of the levels, or of the levels of a ratio times the CPU's. */
    private final double[] sums;
    /** How many neighbours have a level, by signal: none is not the same as a sum of zero. */
    private final int[] members;
    /** By {@link Parts}. */
    private final double[] parts;

    private Neighbours(int count, int measured, double[] sums, int[] members, double[] parts) {
        this.parts = parts;
        this.count = count;
        this.measured = measured;
        this.sums = sums;
        this.members = members;
    }

    public static Neighbours of(Collection<InterferenceVector> neighbours) {
        int measured = 0;
        for (InterferenceVector neighbour : neighbours) {
            measured += neighbour.isEmpty() ? 0 : 1;
        }
        Neighbours all = new Neighbours(
                neighbours.size(), measured, NONE.sums.clone(), NONE.members.clone(), NONE.parts.clone());
        neighbours.forEach(neighbour -> all.add(neighbour, 1));
        return all;
    }

    /** Returns these and what is of no container; these if it is empty, since nobody is there then. */
    public Neighbours withOutside(InterferenceVector outside) {
        return outside.isEmpty() ? this : with(outside);
    }

    /** Returns these and {@code neighbour}. */
    public Neighbours with(InterferenceVector neighbour) {
        return changed(neighbour, 1);
    }

    /** Returns these without {@code neighbour}, who must be one of them. */
    public Neighbours without(InterferenceVector neighbour) {
        return changed(neighbour, -1);
    }

    public int count() {
        return count;
    }

    /** Returns how many neighbours anything is known of, from 0 to {@link #count}. */
    public int measured() {
        return measured;
    }

    /** Returns the sum of the levels of {@code signal}; empty if it is a ratio, or if no neighbour has one. */
    public OptionalDouble level(Signal signal) {
        return members[signal.id()] == 0 || signal.combination() != Signal.Combination.SUM
                ? OptionalDouble.empty()
                : OptionalDouble.of(sum(signal));
    }

    /**
     * Returns the sum over the neighbours of {@code signal}, a ratio, times their CPU; 0 if none has both. By {@code
     * level(CPU)} it is the weighted mean; as it stands, one more neighbour never lowers it.
     */
    public double weighted(Signal signal) {
        return signal.combination() == Signal.Combination.WEIGHTED_MEAN ? sum(signal) : 0;
    }

    /** Returns how many neighbours have a level of {@code signal}, for a ratio also one of CPU; from 0 to {@link #count}. */
    public int members(Signal signal) {
        return members[signal.id()];
    }

    /** Returns what was added up for {@code signal}; 0 if no neighbour has one. */
    double sum(Signal signal) {
        // Taking away what was added can leave a last bit below zero, and beside nobody no more than that.
        return members[signal.id()] == 0 ? 0 : Math.max(0, sums[signal.id()]);
    }

    /** Returns what was added up for a figure of {@link Parts}. */
    double part(int index) {
        return members[Parts.signal(index).id()] == 0 ? 0 : Math.max(0, parts[index]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Neighbours that
                && count == that.count
                && measured == that.measured
                && Arrays.equals(sums, that.sums)
                && Arrays.equals(parts, that.parts)
                && Arrays.equals(members, that.members);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * count + Arrays.hashCode(sums)) + Arrays.hashCode(members);
    }

    @Override
    public String toString() {
        return "%d neighbours %s".formatted(count, Arrays.toString(sums));
    }

    private Neighbours changed(InterferenceVector neighbour, int sign) {
        Neighbours next = new Neighbours(
                count + sign,
                neighbour.isEmpty() ? measured : measured + sign,
                sums.clone(),
                members.clone(),
                parts.clone());
        next.add(neighbour, sign);
        return next;
    }

    /** Only on an object that nobody else has seen yet. */
    private void add(InterferenceVector neighbour, int sign) {
        double cpu = neighbour.levelOr(Signal.CPU, Double.NaN);
        for (Signal signal : SIGNALS) {
            double level = neighbour.levelOr(signal, Double.NaN);
            double weight = signal.combination() == Signal.Combination.SUM ? 1 : cpu;
            if (!Double.isNaN(level) && !Double.isNaN(weight)) {
                sums[signal.id()] += sign * level * weight;
                members[signal.id()] += sign;
            }
        }
        for (int i = 0; i < Parts.SIZE; i++) {
            double level = neighbour.levelOr(Parts.signal(i), Double.NaN);
            if (!Double.isNaN(level)) {
                parts[i] += sign * Math.min(level, Parts.at(i));
            }
        }
    }
}
