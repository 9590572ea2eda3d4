package org.interference.yarn.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Pressure;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.Company;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * The containers of one node at one moment, and what each kind of task would cost there: worked out when it is first asked for,
 * and remembered for as long as node and kind stay what they are. Thread-safe.
 */
public final class NodeLoad {
    private static final Signal[] SIGNALS = Signal.predictors().toArray(Signal[]::new);
    /** A level that moves by no more, as a share of the node, changes no decision. */
    private static final double SAME = 0.02;

    private final List<InterferenceVector> containers;
    /** What presses on the node and is of no container. */
    private final InterferenceVector outside;
    /** How many times the slowdown of each of them counts. */
    private final double[] weights;

    private final NodeCompany company;
    private final Neighbours together;
    /** From the reference node to this one. */
    private final Scale scale;

    private final Costs costs = new Costs();
    /** Two threads may both make them; they make the same. */
    private volatile Bystanders bystanders;
    /** Of all of them; likewise. */
    private volatile Pressure pressure;

    /** The containers as they are without a newcomer: who it is does not matter. */
    private static final class Bystanders {
        private final SlowdownPredictor predictor;
        private final Situation[] situations;
        /** Sum of what each of them gets done, in tasks alone, as many times as it counts; one that nobody can predict takes no part. */
        private final double rates;

        private Bystanders(SlowdownPredictor predictor, Situation[] situations, double rates) {
            this.predictor = predictor;
            this.situations = situations;
            this.rates = rates;
        }

        static Bystanders of(
                SlowdownPredictor predictor,
                List<InterferenceVector> containers,
                double[] weights,
                Neighbours together) {
            Situation[] situations = new Situation[containers.size()];
            double rates = 0;
            for (int i = 0; i < situations.length; i++) {
                situations[i] = Situation.of(containers.get(i), together.without(containers.get(i)));
                double slowdown = slowdown(predictor, situations[i]);
                if (!Double.isNaN(slowdown)) {
                    rates += weights[i] / slowdown;
                }
            }
            return new Bystanders(predictor, situations, rates);
        }

        /** Returns these with one more, of whom it is known what it costs and who counts once. */
        Bystanders with(Cost newcomer, Situation its) {
            Situation[] next = new Situation[situations.length + 1];
            for (int i = 0; i < situations.length; i++) {
                next[i] = situations[i].with(newcomer.kind.pressure());
            }
            next[situations.length] = its;
            return new Bystanders(predictor, next, newcomer.rates + 1 / newcomer.own);
        }
    }

    private static double slowdown(SlowdownPredictor predictor, Situation situation) {
        return predictor.predict(situation) instanceof Prediction.Slowdown known ? known.factor() : Double.NaN;
    }

    /** By {@link TaskKind#slot()}. Two threads may both work out a cost, or one may lose what the other has noted: they find the same. */
    private static final class Costs {
        private volatile Cost[] known = new Cost[0];

        Cost of(TaskKind kind) {
            Cost[] costs = known;
            Cost cost = kind.slot() < costs.length ? costs[kind.slot()] : null;
            return cost != null && cost.kind == kind ? cost : null;
        }

        void put(Cost cost) {
            int slot = cost.kind.slot();
            Cost[] costs = known;
            if (slot >= costs.length) {
                costs = Arrays.copyOf(costs, Math.max(slot + 1, Math.min(2 * costs.length, TaskKinds.SLOTS)));
                known = costs;
            }
            costs[slot] = cost;
        }
    }

    /**
     * What a task of one kind would cost on the node, its locality aside. Immutable.
     *
     * @param known whether the predictor has an answer for the newcomer; nothing else is of use if not
     * @param own the newcomer's slowdown, {@code >= 1}
     * @param lost what the neighbours get done less with it, in tasks alone, each as many times as it counts, {@code >= 0}
     * @param spread how far {@link #gain} is off, as a root mean square, if predictions are wrong by one in logarithms, each for itself: the
     *     newcomer's rate by itself, and what each neighbour loses by as much, of which all are taken to lose the same
     * @param rates sum of what the neighbours get done with it
     */
    public record Cost(TaskKind kind, boolean known, double own, double lost, double spread, double rates) {
        static Cost unknown(TaskKind kind) {
            return new Cost(kind, false, 1, 0, 0, 0);
        }

        /** Returns the same of a gain in which what the newcomer loses counts {@code weight} times. */
        double spread(double weight) {
            double more = (weight * weight - 1) / (own * own);
            return Math.sqrt(Math.max(0, spread * spread + more));
        }

        /** Returns the work that the node gets done more with it, in tasks alone; negative if it gets less done. */
        double gain() {
            return 1 / own - lost;
        }
    }

    /** @param containers what each of them asks of the node; all of them count alike */
    public NodeLoad(List<InterferenceVector> containers) {
        this(
                containers,
                InterferenceVector.EMPTY,
                Neighbours.of(containers),
                ones(containers.size()),
                NodeCompany.NOBODY,
                Scale.ONE);
    }

    NodeLoad(List<InterferenceVector> containers, double[] weights, Collection<Occupant> occupants) {
        this(
                containers,
                InterferenceVector.EMPTY,
                Neighbours.of(containers),
                weights,
                new NodeCompany(occupants),
                Scale.ONE);
    }

    /**
     * The load of a node whose containers need not count alike.
     *
     * @param outside what presses on the node and is of none of them; empty if nothing does
     * @param together all of them, and that
     * @param weights how many times the slowdown of each container counts, in their order
     * @param company who is there; as many as there are containers, or more, or none if it does not matter
     * @param scale from the reference node, whose shares kinds of task are in, to this one
     */
    NodeLoad(
            List<InterferenceVector> containers,
            InterferenceVector outside,
            Neighbours together,
            double[] weights,
            NodeCompany company,
            Scale scale) {
        this.scale = scale;
        this.containers = List.copyOf(containers);
        this.outside = outside;
        this.weights = weights;
        this.company = company;
        this.together = together;
    }

    static double[] ones(int size) {
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns this load and such a task, who counts once; for a node where it does not matter who is there. */
    NodeLoad with(TaskKind newcomer) {
        TaskKind kind = newcomer.on(scale);
        List<InterferenceVector> all = new ArrayList<>(containers.size() + 1);
        all.addAll(containers);
        all.add(kind.load());
        double[] weightsOfAll = Arrays.copyOf(weights, all.size());
        weightsOfAll[weights.length] = 1;
        NodeLoad next = new NodeLoad(all, outside, together.with(kind.load()), weightsOfAll, company, scale);
        Cost cost = costs.of(kind);
        Bystanders alone = bystanders;
        if (cost != null && cost.known() && alone != null && isOf(alone, kind.neighbours())) {
            // What was worked out to place it here is how they do now.
            next.bystanders = alone.with(cost, Situation.of(kind.load(), together));
        }
        return next;
    }

    /** Returns whether no decision would be another with {@code other} in place of this. */
    boolean isLike(NodeLoad other) {
        if (!Arrays.equals(weights, other.weights)
                || !company.isLike(other.company)
                || !scale.equals(other.scale)
                || !outside.isLike(other.outside, SAME)) {
            return false;
        }
        for (int i = 0; i < containers.size(); i++) {
            if (!containers.get(i).isLike(other.containers.get(i), SAME)) {
                return false;
            }
        }
        return true;
    }

    /** Returns who is there. */
    NodeCompany company() {
        return company;
    }

    /** Returns what each container asks of the node, measured or expected. */
    public List<InterferenceVector> containers() {
        return containers;
    }

    /** Returns whether nobody here presses on anything. */
    boolean isQuiet() {
        return Company.isQuiet(signal -> together.level(signal).orElse(0));
    }

    /** Returns what such a task would cost here. */
    public Cost cost(TaskKind newcomer) {
        TaskKind kind = newcomer.on(scale);
        Cost known = costs.of(kind);
        if (known != null) {
            return known;
        }
        Cost cost = workedOut(kind);
        costs.put(cost);
        return cost;
    }

    private Cost workedOut(TaskKind kind) {
        double own = kind.own().slowdown(kind.alone(), pressureOfAll());
        if (Double.isNaN(own)) {
            return Cost.unknown(kind);
        }
        Bystanders alone = bystanders(kind.neighbours());
        double rates = 0;
        for (int i = 0; i < weights.length; i++) {
            double slowdown = kind.neighbours().slowdown(alone.situations[i], kind.pressure());
            if (!Double.isNaN(slowdown)) {
                rates += weights[i] / slowdown;
            }
        }
        double lost = Math.max(0, alone.rates - rates);
        return new Cost(kind, true, own, lost, spread(1 / own, lost, weights.length), rates);
    }

    private Pressure pressureOfAll() {
        Pressure known = pressure;
        if (known == null) {
            known = Pressure.of(together);
            pressure = known;
        }
        return known;
    }

    /** A hypotenuse, of legs so short that nothing overflows: {@code Math.hypot} would be a tenth of a decision. */
    private static double spread(double ownRate, double lost, int neighbours) {
        return Math.sqrt(ownRate * ownRate + lost * lost / Math.max(1, neighbours));
    }

    private Bystanders bystanders(SlowdownPredictor predictor) {
        Bystanders known = bystanders;
        if (known == null || !isOf(known, predictor)) {
            known = Bystanders.of(predictor, containers, weights, together);
            bystanders = known;
        }
        return known;
    }

    @SuppressWarnings("ReferenceEquality") // Kinds share the predictor while it is the same.
    private static boolean isOf(Bystanders bystanders, SlowdownPredictor predictor) {
        return bystanders.predictor == predictor;
    }

    /** Returns what the neighbours of such a task would press together on the signals that it uses. */
    double pressure(TaskKind kind) {
        double pressure = 0;
        for (Signal signal : SIGNALS) {
            if (kind.load().levelOr(signal, 0) > 0) {
                pressure += together.level(signal).orElse(0);
            }
        }
        return pressure;
    }
}
