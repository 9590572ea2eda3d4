package org.interference.yarn.ingest;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.Scale;

/**
 * The node whose shares everything is in that is known of tasks wherever they ran: profiles, and what is learnt of labels. It is the first
 * that told its capacities, also in an earlier life, so that on a cluster of one kind of node a profile's levels are shares of any. Thread-safe.
 */
public final class ReferenceNode {
    /** Kinds of node. */
    private static final int MOST_REMEMBERED = 256;

    private volatile State state = new State(Capacities.UNKNOWN, new ConcurrentHashMap<>());

    /** @param scales from nodes with these capacities to this one */
    private record State(Capacities reference, ConcurrentMap<Capacities, Scale> scales) {}

    /** Returns what levels on a node with {@code capacities} are on this one. What this does not know of itself yet, it has of that. */
    Scale scale(Capacities capacities) {
        State known = state;
        Scale scale = known.scales().get(capacities);
        if (scale != null) {
            return scale;
        }
        // Remembered beside the reference that it is to: another thread may make it another one at any time.
        State now = fill(capacities);
        Scale made = Scale.between(capacities, now.reference());
        if (now.scales().size() < MOST_REMEMBERED) {
            now.scales().put(capacities, made);
        }
        return made;
    }

    /** Goes on with what an earlier life took; what that did not know is taken of this one. */
    public void restore(Capacities stored) {
        become(stored);
    }

    /** Takes what is not known yet. */
    private synchronized State fill(Capacities capacities) {
        return become(state.reference().or(capacities));
    }

    /** Takes these, and of what is known already what these do not tell. */
    private synchronized State become(Capacities reference) {
        Capacities next = reference.or(state.reference());
        if (!next.equals(state.reference())) {
            state = new State(next, new ConcurrentHashMap<>());
        }
        return state;
    }

    /** Returns what is known of it. */
    public Capacities capacities() {
        return state.reference();
    }
}
