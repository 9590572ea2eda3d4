package org.interference.yarn.place.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.interference.yarn.place.Offers;

/**
 * What a scheduler that visits one node after the other offers to its queues: with each node those that were offered lately.
 * Thread-safe, each thread for itself; no method throws.
 */
public final class NodeOffers<N extends SchedulerNode> {
    private final Predicate<N> isOpen;

    /** By partition: what the thread has been offered. */
    @SuppressWarnings("ThreadLocalUsage") // One for each ResourceManager of the JVM, and these threads end with it.
    private final ThreadLocal<Map<String, Offers<N>>> ofThisThread = ThreadLocal.withInitial(HashMap::new);

    /** @param isOpen whether a node that was offered earlier may still be taken */
    public NodeOffers(Predicate<N> isOpen) {
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
            Offers<N> offers = offers(node);
            // In shadow the parent decides, and when it would.
            List<N> open =
                    placement.mayHoldBack() ? offers.gather(node, choices, isOpen) : offers.look(node, choices, isOpen);
            return open.isEmpty() ? Optional.empty() : Optional.of(new OfferedNode<>(open));
        } catch (Throwable e) {
            placement.failed(e);
            return Optional.of(parents);
        }
    }

    /** Notes that a container was proposed for {@code node}. */
    public void taken(N node) {
        offers(node).taken(node);
    }

    /** Notes that nobody took any of what was offered with {@code node}. */
    public void unwanted(N node) {
        offers(node).unwanted();
    }

    private Offers<N> offers(N node) {
        return ofThisThread.get().computeIfAbsent(node.getPartition(), partition -> new Offers<>());
    }
}
