package org.interference.yarn.place;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The nodes that a scheduler has offered lately, one after the other, and that may still be taken: what a request can choose from
 * without anybody looking at the whole cluster. A few nodes at random are almost as good as all (M. Mitzenmacher, The Power of Two
 * Choices in Randomized Load Balancing, IEEE TPDS 12(10), 2001), and so the cost of a choice does not grow with the cluster.
 * Not thread-safe: each scheduling thread has its own.
 *
 * @param <N> node
 */
public final class Offers<N> {
    /** Held back. */
    private final List<N> open = new ArrayList<>();
    /** Offered and decided. */
    private final List<N> lately = new ArrayList<>();

    /**
     * Takes an offer, and holds it back while there is less to choose from than there could be: until there are {@code most}
     * nodes, or the same one is offered again, so that there are no others.
     *
     * @return what may be taken now, {@code node} first, {@code most} at most; empty if it is held back
     */
    public List<N> gather(N node, int most, Predicate<N> isOpen) {
        open.removeIf(held -> !held.equals(node) && !isOpen.test(held));
        boolean again = open.remove(node);
        open.add(0, node);
        boolean full = open.size() >= most;
        // Who was passed over for so long is visited again.
        open.subList(Math.min(most, open.size()), open.size()).clear();
        return again || full ? List.copyOf(open) : List.of();
    }

    /** Takes an offer that is decided at once, and returns what else was offered lately and is still open; {@code node} first. */
    public List<N> look(N node, int most, Predicate<N> isOpen) {
        lately.removeIf(seen -> seen.equals(node) || !isOpen.test(seen));
        lately.add(0, node);
        while (lately.size() > most) {
            lately.remove(lately.size() - 1);
        }
        return List.copyOf(lately);
    }

    /** Returns whether {@code node} may be offered with another one. */
    public boolean holds(N node) {
        return open.contains(node) || lately.contains(node);
    }

    /** Forgets those that are {@code gone}. */
    public void forget(Predicate<N> gone) {
        open.removeIf(gone);
        lately.removeIf(gone);
    }

    /** Returns whether there is nothing to offer with another one. */
    public boolean isEmpty() {
        return open.isEmpty() && lately.isEmpty();
    }

    /** Notes that nobody wanted any of them: they are not asked about again before they are offered again. */
    public void unwanted() {
        open.clear();
    }
}
