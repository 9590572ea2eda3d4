package org.interference.yarn.place;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * The containers of one node at one moment, and what each kind of task would cost there: worked out when it is first asked for,
 * and remembered for as long as node and kind stay what they are. Thread-safe.
 */
public final class NodeLoad {
    private static final Signal[] SIGNALS = Signal.values();
    /** A level that moves by no more, as a share of the node, changes no decision. */
    private static final double SAME = 0.02;

    private final List<InterferenceVector> containers;
    /** How many times the slowdown of each of them counts. */
    private final double[] weights;

    private final List<Occupant> occupants;
    private final boolean anyExclusive;
    private final Neighbours together;
    private final Costs costs = new Costs();

    /** By {@link TaskKind#slot()}. Two threads may both work out a cost; they find the same. */
    private static final class Costs {
        private volatile Cost[] known = new Cost[0];

        Cost of(TaskKind kind) {
            Cost[] costs = known;
            Cost cost = kind.slot() < costs.length ? costs[kind.slot()] : null;
            return cost != null && cost.kind == kind ? cost : null;
        }

        synchronized void put(Cost cost) {
            int slot = cost.kind.slot();
            Cost[] next = Arrays.copyOf(known, Math.max(known.length, slot + 1));
            next[slot] = cost;
            known = next;
        }
    }

    /**
     * What a task of one kind would cost on the node, its locality aside. Immutable.
     *
     * @param known whether the predictor has an answer for the newcomer; nothing else is of use if not
     * @param own the newcomer's slowdown, {@code >= 1}
     * @param added what it adds to the slowdown of all neighbours together, each as many times as it counts, {@code >= 0}
     * @param gain the work that the node gets done more with it, in tasks alone; negative if it gets less done. What neighbours lose counts as
     *     often as they do
     * @param pressure what the neighbours press together on the signals that it uses; breaks ties
     */
    public record Cost(TaskKind kind, boolean known, double own, double added, double gain, double pressure) {}

    /** @param containers what each of them asks of the node; all of them count alike */
    public NodeLoad(List<InterferenceVector> containers) {
        this(containers, Neighbours.of(containers), ones(containers.size()), List.of());
    }

    NodeLoad(List<InterferenceVector> containers, double[] weights, Collection<Occupant> occupants) {
        this(containers, Neighbours.of(containers), weights, occupants);
    }

    /**
     * The load of a node whose containers need not count alike.
     *
     * @param together all of them
     * @param weights how many times the slowdown of each container counts, in their order
     * @param occupants who is there; as many as there are containers, or more, or none if it does not matter
     */
    NodeLoad(
            List<InterferenceVector> containers,
            Neighbours together,
            double[] weights,
            Collection<Occupant> occupants) {
        this.containers = List.copyOf(containers);
        this.weights = weights;
        this.occupants = List.copyOf(occupants);
        boolean exclusive = false;
        for (Occupant occupant : this.occupants) {
            exclusive |= occupant.wishes().exclusive();
        }
        this.anyExclusive = exclusive;
        this.together = together;
    }

    static double[] ones(int size) {
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns whether no decision would be another with {@code other} in place of this. */
    boolean isLike(NodeLoad other) {
        if (!Arrays.equals(weights, other.weights) || !occupants.equals(other.occupants)) {
            return false;
        }
        for (int i = 0; i < containers.size(); i++) {
            if (!containers.get(i).isLike(other.containers.get(i), SAME)) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many wishes are broken by placing {@code newcomer} here. */
    int breaches(Occupant newcomer) {
        if (!anyExclusive && !newcomer.wishes().isChoosy()) {
            return 0;
        }
        int breaches = 0;
        for (Occupant occupant : occupants) {
            breaches += newcomer.breachesBeside(occupant);
        }
        return breaches;
    }

    /** Returns what each container asks of the node, measured or expected. */
    public List<InterferenceVector> containers() {
        return containers;
    }

    /** Returns what a task of {@code kind} would cost here. */
    public Cost cost(TaskKind kind) {
        Cost known = costs.of(kind);
        if (known != null) {
            return known;
        }
        Cost cost = workedOut(kind);
        costs.put(cost);
        return cost;
    }

    private Cost workedOut(TaskKind kind) {
        if (!(kind.own().predict(kind.load(), together) instanceof Prediction.Slowdown own)) {
            return new Cost(kind, false, 1, 0, 0, 0);
        }
        double added = 0;
        double gain = 1 / own.factor();
        for (int i = 0; i < weights.length; i++) {
            InterferenceVector neighbour = containers.get(i);
            Neighbours others = together.without(neighbour);
            Prediction without = kind.neighbours().predict(neighbour, others);
            Prediction with = kind.neighbours().predict(neighbour, others.with(kind.load()));
            // One of whom nothing can be predicted adds nothing.
            if (without instanceof Prediction.Slowdown before && with instanceof Prediction.Slowdown after) {
                added += weights[i] * Math.max(0, after.factor() - before.factor());
                gain += weights[i] * Math.min(0, 1 / after.factor() - 1 / before.factor());
            }
        }
        return new Cost(kind, true, own.factor(), added, gain, pressure(kind.load()));
    }

    private double pressure(InterferenceVector task) {
        double pressure = 0;
        for (Signal signal : SIGNALS) {
            if (task.levelOr(signal, 0) > 0) {
                pressure += together.level(signal).orElse(0);
            }
        }
        return pressure;
    }
}
