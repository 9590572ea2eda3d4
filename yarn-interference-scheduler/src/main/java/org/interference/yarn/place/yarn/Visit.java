package org.interference.yarn.place.yarn;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * One visit of a scheduling thread's to a node, which may be offered to several requests, and to each of them several times. Equal to
 * another visit of the same node. Only for that thread.
 */
final class Visit<N> {
    private final N node;
    /** Who was asked about it; mostly nobody keeps count. */
    private Set<Object> asked = Set.of();

    Visit(N node) {
        this.node = node;
    }

    N node() {
        return node;
    }

    /** Returns whether this visit is the first opportunity that {@code request} has of it, which from now on it is not. */
    boolean isNewTo(Object request) {
        if (asked.isEmpty()) {
            asked = Collections.newSetFromMap(new IdentityHashMap<>());
        }
        return asked.add(request);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Nodes by identity: names are slow to compare.
    public boolean equals(Object other) {
        return other instanceof Visit<?> visit && visit.node == node;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(node);
    }
}
