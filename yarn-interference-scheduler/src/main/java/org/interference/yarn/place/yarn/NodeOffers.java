package org.interference.yarn.place.yarn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Offers;

/**
 * What a scheduler that visits one node after the other offers to its queues: with each node those that were visited lately. Whatever
 * is offered is open at that moment. Thread-safe: each thread has its own, under a lock that only {@link #forget} contends for; no
 * method throws.
 */
public final class NodeOffers<N extends SchedulerNode> {
    private final BiPredicate<N, Resource> isOpen;

    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, Visited<N>> byThread = new ConcurrentHashMap<>();

    /** What one thread has visited; under its own lock. */
    private static final class Visited<N extends SchedulerNode> {
        /** By partition. */
        private final Map<String, Offers<Visit<N>>> offers = new HashMap<>();
        /** What was proposed for a node since it was visited; somebody else commits it. */
        private final Map<N, Resource> proposed = new HashMap<>();

        void forget(NodeId node) {
            proposed.keySet().removeIf(held -> held.getNodeID().equals(node));
            offers.values().removeIf(some -> {
                some.forget(held -> held.node().getNodeID().equals(node));
                return some.isEmpty();
            });
        }
    }

    /** @param isOpen whether the parent would visit a node now of which so much is as good as gone */
    public NodeOffers(BiPredicate<N, Resource> isOpen) {
        this.isOpen = isOpen;
    }

    /**
     * Returns what to offer in place of {@code parents}, which is {@code node} alone; that very set if the parent is to decide, empty to
     * hold the node back.
     */
    public Optional<CandidateNodeSet<N>> offer(N node, CandidateNodeSet<N> parents, YarnPlacement placement) {
        return placement.stage().gate().decide(() -> offered(node, parents, placement), Optional.of(parents));
    }

    private Optional<CandidateNodeSet<N>> offered(N node, CandidateNodeSet<N> parents, YarnPlacement placement) {
        int choices = placement.nodeChoices();
        if (choices < 2) {
            return Optional.of(parents);
        }
        List<Visit<N>> open = placement.stage().gate().timed(() -> open(node, choices, placement));
        if (open == null) {
            return Optional.of(parents);
        }
        return open.isEmpty() ? Optional.empty() : Optional.of(new OfferedNode<>(open));
    }

    /** Returns what is open beside {@code node}, which is the first; nothing to hold it back; null if it is not open itself. */
    private List<Visit<N>> open(N node, int choices, YarnPlacement placement) {
        Visited<N> visited = ofThisThread();
        synchronized (visited) {
            visited.proposed.remove(node);
            // Here, so that a node that is removed just now is either seen to be gone, or forgotten after this.
            if (!isOpen.test(node, Resources.none())) {
                return null;
            }
            String partition = node.getPartition();
            Offers<Visit<N>> offers = visited.offers.computeIfAbsent(partition, same -> new Offers<>());
            Visit<N> visit = new Visit<>(node);
            // In shadow the parent decides, and when it would.
            return placement.mayHoldBack()
                    ? offers.gather(visit, choices, held -> isOpen(held.node(), partition, visited))
                    : offers.look(visit, choices, seen -> isOpen(seen.node(), partition, visited));
        }
    }

    private boolean isOpen(N node, String partition, Visited<N> visited) {
        return node.getPartition().equals(partition)
                && isOpen.test(node, visited.proposed.getOrDefault(node, Resources.none()));
    }

    private Visited<N> ofThisThread() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> new Visited<>());
    }

    /** Notes that a container of this size was proposed for {@code node}. */
    public void proposed(N node, Resource size) {
        Visited<N> visited = byThread.get(Thread.currentThread());
        if (visited == null) {
            return;
        }
        synchronized (visited) {
            Offers<Visit<N>> offers = visited.offers.get(node.getPartition());
            // Resources are slow to add, and of most nodes nobody asks again.
            if (offers != null && offers.holds(new Visit<>(node))) {
                visited.proposed.merge(node, size, Resources::add);
            }
        }
    }

    /** Notes that nobody took any of what was offered with {@code node}. */
    public void unwanted(N node) {
        Visited<N> visited = ofThisThread();
        synchronized (visited) {
            visited.proposed.clear();
            Offers<Visit<N>> offers = visited.offers.get(node.getPartition());
            if (offers != null) {
                offers.unwanted();
            }
        }
    }

    /**
     * Forgets {@code node} until it is visited again: the scheduler knows it no more, or a container that was chosen for it could not be
     * had. Any thread may say so, with no lock of the scheduler's that {@code isOpen} waits for.
     */
    public void forget(NodeId node) {
        byThread.keySet().removeIf(thread -> !thread.isAlive());
        for (Visited<N> visited : byThread.values()) {
            synchronized (visited) {
                visited.forget(node);
            }
        }
    }

    /** Returns whether any thread may offer {@code node} with another one. */
    boolean holds(N node) {
        return byThread.values().stream().anyMatch(visited -> {
            synchronized (visited) {
                return visited.offers.values().stream().anyMatch(offers -> offers.holds(new Visit<>(node)));
            }
        });
    }
}
