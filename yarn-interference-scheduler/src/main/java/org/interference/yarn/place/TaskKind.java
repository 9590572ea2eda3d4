package org.interference.yarn.place;

import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Pressure;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;

/**
 * A kind of task and what is predicted of it, as they are held still for a moment: whatever is learnt meanwhile, one order is made
 * with one model. Immutable; equal only to itself, which is what costs are remembered by.
 */
public final class TaskKind {
    private static final double SHORTEST_RUN_SECONDS = 1;
    /** Of a kind of which nobody has seen a run from its beginning to its end: mostly it is known by tasks that have been running for ten minutes, as services do. */
    private static final double UNSEEN_RUN_SECONDS = 600;
    /** A level that moves by no more, as a share of the node, changes no decision. */
    private static final double SAME_LOAD = 0.02;

    private static final double SAME_RUN_TIME = 0.1;

    private static final int MOST_SCALES = 256;

    private final int slot;
    private final String name;
    private final InterferenceVector load;
    private final Pressure pressure;
    private final Situation alone;
    private final double runSeconds;
    /** Becomes true once, and is no reason to work out anything anew. */
    private volatile boolean wasAlone;

    private final SlowdownPredictor own;
    private final SlowdownPredictor neighbours;
    /** The same on nodes that differ from the reference node. */
    private final ConcurrentMap<Scale, TaskKind> elsewhere = new ConcurrentHashMap<>(0);

    /** One of its own. */
    TaskKind(int slot, TaskProfile profile, SlowdownPredictor predictor) {
        this(slot, profile, predictor, predictor.of(""));
    }

    /**
     * @param slot two kinds with one slot are right, but slow: each forgets the other's costs
     * @param neighbours who predicts for its neighbours; the same object for as many kinds as can be, which is quicker
     */
    TaskKind(int slot, TaskProfile profile, SlowdownPredictor predictor, SlowdownPredictor neighbours) {
        this.slot = slot;
        this.name = profile.key().text();
        this.load = profile.load();
        this.pressure = Pressure.of(load);
        this.alone = Situation.of(load, Neighbours.NONE);
        this.runSeconds = profile.runTimeSeconds().count() == 0
                ? UNSEEN_RUN_SECONDS
                : Math.max(SHORTEST_RUN_SECONDS, profile.runTimeSeconds().mean());
        this.wasAlone = profile.runTimes().alone().count() > 0;
        this.own = predictor.of(name);
        this.neighbours = neighbours;
    }

    private TaskKind(TaskKind kind, Scale scale) {
        this.slot = kind.slot;
        this.name = kind.name;
        this.load = scale.of(kind.load);
        this.pressure = Pressure.of(load);
        this.alone = Situation.of(load, Neighbours.NONE);
        this.runSeconds = kind.runSeconds;
        this.wasAlone = kind.wasAlone;
        this.own = kind.own;
        this.neighbours = kind.neighbours;
    }

    /**
     * Returns what a task of this kind is on some node.
     *
     * @param scale from the reference node to that one. There are few, and the same one has the same answer; if reports tell of more, of those beyond {@value
     *     #MOST_SCALES} what they cost is worked out each time
     */
    TaskKind on(Scale scale) {
        if (scale.isOne()) {
            return this;
        }
        TaskKind known = elsewhere.get(scale);
        if (known == null && elsewhere.size() >= MOST_SCALES) {
            return new TaskKind(this, scale);
        }
        return known != null ? known : elsewhere.computeIfAbsent(scale, other -> new TaskKind(this, other));
    }

    /** Returns whether no decision would be another with {@code other} in place of this. */
    boolean isLike(TaskKind other) {
        return own.equals(other.own)
                && neighbours.equals(other.neighbours)
                && load.isLike(other.load, SAME_LOAD)
                && Math.abs(runSeconds - other.runSeconds) <= SAME_RUN_TIME * runSeconds;
    }

    int slot() {
        return slot;
    }

    /** Returns the text of the key of its profile. */
    String name() {
        return name;
    }

    /** Returns how far a prediction of such a task may be off, as {@link SlowdownPredictor#margin}. */
    OptionalDouble margin() {
        return own.margin();
    }

    InterferenceVector load() {
        return load;
    }

    /** Returns what it adds to what its neighbours feel. */
    Pressure pressure() {
        return pressure;
    }

    /** Returns such a task with nobody beside it. */
    Situation alone() {
        return alone;
    }

    /** Returns the mean run time, at least 1 s; ten minutes while none is known. */
    double runSeconds() {
        return runSeconds;
    }

    /** Returns whether one was seen that had its node for itself. */
    boolean wasAlone() {
        return wasAlone;
    }

    /** Takes note of it where another stands for the same kind, as of later. */
    void wasAloneIf(TaskKind later) {
        if (later.wasAlone) {
            wasAlone = true;
        }
    }

    /** Returns who predicts the newcomer's slowdown. */
    SlowdownPredictor own() {
        return own;
    }

    /** Returns who predicts that of its neighbours, whoever they are. */
    SlowdownPredictor neighbours() {
        return neighbours;
    }
}
