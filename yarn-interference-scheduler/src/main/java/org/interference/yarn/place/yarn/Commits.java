package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;

/**
 * The containers that YARN has committed and that are not accounted for yet: a scheduling thread only notes them. Whoever decides next
 * accounts for some of them first, so that it sees what the last one did; when many wait, a background thread does too. Of too many the
 * newest are not accounted for. Thread-safe; no method throws.
 */
final class Commits {
    /** Accounting for more would take a scheduling thread longer than its decision. */
    private static final int BEFORE_A_DECISION = 8;

    static final int MANY = 64;
    /** Each of them keeps a container of YARN's, and perhaps a ranking, from being forgotten. */
    static final int MOST = 4096;

    private final Placement placement;
    private final Requests requests;
    private final Function<NodeId, String> names;
    private final Executor background;
    private final int bound;
    private final ConcurrentLinkedQueue<Commit> waiting = new ConcurrentLinkedQueue<>();
    /** How many wait, and those that are about to. */
    private final AtomicInteger count = new AtomicInteger();

    /** Held by whoever accounts for all: never by a scheduling thread. */
    private final Object allAtOnce = new Object();

    /**
     * A committed container.
     *
     * @param proposal under what it is accounted for since it was proposed; empty for one that the parent placed
     */
    private record Commit(RMContainer container, Optional<String> proposal, Origin origin, Instant at) {}

    /**
     * Where a placement comes from.
     *
     * @param asks who asked; empty if that is to be found out
     * @param ranking that it was chosen from, or would have been
     * @param offered what was decided, or would have been, when the node was offered
     */
    record Origin(
            Ranking.Reason reason,
            Optional<InterferenceAppPlacementAllocator<?>> asks,
            Optional<Ranking> ranking,
            Optional<Offered> offered) {
        private static final Origin NOT_RANKED = of(Ranking.Reason.PARENT_NOT_RANKED);

        /** A choice of the parent's that nobody was asked about. */
        static Origin notRanked() {
            return NOT_RANKED;
        }

        static Origin of(Ranking ranking) {
            return new Origin(ranking.reason(), Optional.empty(), Optional.of(ranking), Optional.empty());
        }

        static Origin of(Ranking.Reason reason) {
            return new Origin(reason, Optional.empty(), Optional.empty(), Optional.empty());
        }

        static Origin of(Ranking.Reason reason, InterferenceAppPlacementAllocator<?> asks) {
            return new Origin(reason, Optional.of(asks), Optional.empty(), Optional.empty());
        }

        Origin with(Optional<Offered> decided) {
            return decided.isEmpty() ? this : new Origin(reason, asks, ranking, decided);
        }
    }

    /** @param background what accounts for them when many wait */
    Commits(Placement placement, Requests requests, Function<NodeId, String> names, Executor background) {
        this(placement, requests, names, background, MOST);
    }

    /** @param bound how many may wait */
    Commits(Placement placement, Requests requests, Function<NodeId, String> names, Executor background, int bound) {
        this.placement = placement;
        this.requests = requests;
        this.names = names;
        this.background = background;
        this.bound = bound;
    }

    void add(RMContainer container, Optional<String> proposal, Origin origin, Instant now) {
        // Before it waits: somebody may account for it at once.
        int before = count.getAndUpdate(counted -> Math.min(counted + 1, bound));
        if (before >= bound) {
            placement.decisions().unaccounted();
            return;
        }
        waiting.add(new Commit(container, proposal, origin, now));
        if ((before + 1) % MANY == 0) {
            try {
                background.execute(this::accountForAll);
            } catch (RejectedExecutionException e) {
                // The plugin has stopped; nobody decides any more.
                while (next() != null) {}
            }
        }
    }

    /** Accounts for what the next decision should know of. */
    void accountForSome() {
        accountFor(BEFORE_A_DECISION);
    }

    /** Accounts for all that wait, and returns when another thread that does so has done so too: whoever reads then finds them. */
    void accountForAll() {
        synchronized (allAtOnce) {
            accountFor(Integer.MAX_VALUE);
        }
    }

    private void accountFor(int most) {
        for (int i = 0; i < most; i++) {
            Commit next = next();
            if (next == null) {
                return;
            }
            placement.gate().faults().safely(Part.ACCOUNTING, () -> accountFor(next));
        }
    }

    /** Returns null if none waits. */
    private Commit next() {
        Commit next = waiting.poll();
        if (next != null) {
            count.decrementAndGet();
        }
        return next;
    }

    private void accountFor(Commit commit) {
        RMContainer container = commit.container();
        String id = container.getContainerId().toString();
        String node = names.apply(container.getAllocatedNode());
        Origin origin = commit.origin();
        Optional<Ranking> ranking = origin.ranking()
                .or(() -> requests.of(container, origin.asks()).map(request -> byParent(request, origin.reason())));
        if (commit.proposal().isPresent()) {
            placement.confirmed(commit.proposal().get(), id, node);
        } else {
            ranking.ifPresent(known -> placement.proposed(id, node, known.request(), commit.at()));
        }
        ranking.ifPresent(known -> placement.committed(id, node, known.with(origin.offered()), commit.at()));
        if (isOver(container.getState())) {
            placement.completed(id, node, commit.at());
        }
    }

    private Ranking byParent(Request request, Ranking.Reason reason) {
        return new Ranking(request, placement.gate().mode(request.queue()), reason, Optional.empty(), List.of());
    }

    private static boolean isOver(RMContainerState state) {
        return switch (state) {
            case COMPLETED, EXPIRED, RELEASED, KILLED -> true;
            default -> false;
        };
    }
}
