package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * The other containers of a node, as one: how many there are, and what they press together. Immutable.
 *
 * <p>Levels of signals with {@link Signal.Combination#SUM} are added; the others are not known here, because without their
 * references they cannot be averaged. Adding or leaving out one neighbour takes the same short time however many there are,
 * so that the cost of a placement to each of them can be asked on a scheduling thread.
 */
public final class Neighbours {
    /** Arrays are indexed by signal id. */
    private static final int SIZE =
            Arrays.stream(Signal.values()).mapToInt(Signal::id).max().orElse(0) + 1;

    /** A task alone on its node. */
    public static final Neighbours NONE = new Neighbours(0, new double[SIZE], new int[SIZE]);

    private final int count;
    private final double[] sums;
    /** How many neighbours have a level, by signal: none is not the same as a sum of zero. */
    private final int[] members;

    private Neighbours(int count, double[] sums, int[] members) {
        this.count = count;
        this.sums = sums;
        this.members = members;
    }

    public static Neighbours of(Collection<InterferenceVector> neighbours) {
        Neighbours all = new Neighbours(neighbours.size(), NONE.sums.clone(), NONE.members.clone());
        neighbours.forEach(neighbour -> all.add(neighbour, 1));
        return all;
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

    /** Returns the sum of the levels of {@code signal}; empty if no neighbour has one. */
    public OptionalDouble level(Signal signal) {
        return members[signal.id()] == 0
                ? OptionalDouble.empty()
                // Taking away what was added can leave a last bit below zero.
                : OptionalDouble.of(Math.max(0, sums[signal.id()]));
    }

    /** Returns how many neighbours have a level of {@code signal}, from 0 to {@link #count}. */
    public int members(Signal signal) {
        return members[signal.id()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Neighbours that
                && count == that.count
                && Arrays.equals(sums, that.sums)
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
        Neighbours next = new Neighbours(count + sign, sums.clone(), members.clone());
        next.add(neighbour, sign);
        return next;
    }

    /** Only on an object that nobody else has seen yet. */
    private void add(InterferenceVector neighbour, int sign) {
        for (Map.Entry<Signal, Double> level : neighbour.levels().entrySet()) {
            if (level.getKey().combination() == Signal.Combination.SUM) {
                int signal = level.getKey().id();
                sums[signal] += sign * level.getValue();
                members[signal] += sign;
            }
        }
    }
}
