package org.interference.yarn.place.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Offers;

/**
 * What a scheduler that visits one node after the other offers to its queues: with each node those that were visited lately.
 * Thread-safe, each thread for itself; no method throws.
 */
public final class NodeOffers<N extends SchedulerNode> {
    private final BiPredicate<N, Resource> isOpen;

    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, Visited<N>> byThread = new ConcurrentHashMap<>();

    /** What one thread has visited. */
    private static final class Visited<N> {
        /** By partition. */
        private final Map<String, Offers<N>> offers = new HashMap<>();
        /** What was proposed for a node since it was visited; somebody else commits it. */
        private final Map<N, Resource> proposed = new HashMap<>();
    }

    /** @param isOpen whether a node may still be taken of which so much is as good as gone */
    public NodeOffers(BiPredicate<N, Resource> isOpen) {
        this.isOpen = isOpen;
    }

    /** Returns what to offer in place of {@code parents}, which is {@code node} alone; empty to hold it back. */
    @SuppressWarnings("CatchThrowable") // On a scheduling thread; the parent decides.
    public Optional<CandidateNodeSet<N>> offer(N node, CandidateNodeSet<N> parents, YarnPlacement placement) {
        try {
            int choices = placement.choices();
            if (choices < 2) {
                return Optional.of(parents);
            }
            Visited<N> visited = ofThisThread();
            visited.proposed.remove(node);
            Offers<N> offers = visited.offers.computeIfAbsent(node.getPartition(), partition -> new Offers<>());
            List<N> open = placement.timed(() ->
                    // In shadow the parent decides, and when it would.
                    placement.mayHoldBack()
                            ? offers.gather(node, choices, held -> isOpen(held, visited))
                            : offers.look(node, choices, seen -> isOpen(seen, visited)));
            return open.isEmpty() ? Optional.empty() : Optional.of(new OfferedNode<>(open));
        } catch (Throwable e) {
            placement.failed(e);
            return Optional.of(parents);
        }
    }

    private Visited<N> ofThisThread() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> new Visited<>());
    }

    private boolean isOpen(N node, Visited<N> visited) {
        return isOpen.test(node, visited.proposed.getOrDefault(node, Resources.none()));
    }

    /** Notes that a container of this size was proposed for {@code node}. */
    public void proposed(N node, Resource size) {
        Visited<N> visited = byThread.get(Thread.currentThread());
        Offers<N> offers = visited == null ? null : visited.offers.get(node.getPartition());
        // Resources are slow to add, and of most nodes nobody asks again.
        if (offers != null && offers.holds(node)) {
            visited.proposed.merge(node, size, Resources::add);
        }
    }

    /** Notes that nobody took any of what was offered with {@code node}. */
    public void unwanted(N node) {
        Visited<N> visited = ofThisThread();
        visited.proposed.clear();
        Offers<N> offers = visited.offers.get(node.getPartition());
        if (offers != null) {
            offers.unwanted();
        }
    }
}
