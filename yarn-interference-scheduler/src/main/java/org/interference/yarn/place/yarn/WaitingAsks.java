package org.interference.yarn.place.yarn;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;

/**
 * Who waits for containers, and which of them may have a node. Thread-safe; no method throws. A background thread looks who waits: how
 * much a queue and a user may still have YARN says under locks that a scheduling thread, which holds others, must not wait for.
 */
final class WaitingAsks {
    /** So long nobody looks again. */
    private static final Duration HELD = Duration.ofMillis(200);

    /** So many others take part in a decision. */
    private static final int MOST_OTHERS = 7;
    /** So many asks are looked at for one, the oldest applications' first: a decision takes microseconds. */
    private static final int MOST_LOOKS = 200;

    private static final Comparator<InterferenceAppPlacementAllocator<?>> BY_ATTEMPT_AND_KEY = Comparator.comparing(
                    (InterferenceAppPlacementAllocator<?> asks) -> asks.attempt())
            .thenComparing(asks -> asks.key());

    private final Placement placement;
    private final RMContext rmContext;
    private final Requests requests;
    private final InstantSource clock;
    private final Executor background;

    /** Who asks, and has not got everything yet, by identity. */
    private final Set<InterferenceAppPlacementAllocator<?>> waiting = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile Seen seen = new Seen(List.of(), Instant.MIN);

    /** @param asks of those whose queue and user may have them */
    private record Seen(List<Ask> asks, Instant until) {}

    private record Ask(
            InterferenceAppPlacementAllocator<?> asks,
            SchedulerApplicationAttempt application,
            Resource size,
            Matching.Contender contender) {}

    WaitingAsks(Placement placement, RMContext rmContext, Requests requests, InstantSource clock, Executor background) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.requests = requests;
        this.clock = clock;
        this.background = background;
    }

    /** Notes that there may be containers to wait for. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        waiting.add(asks);
    }

    /**
     * Returns who else may have {@code node}: what waits there almost as needily (ADR-0027), of the same application only with the
     * same priority, for its own order it has made itself, and would be let have it now as far as partition, size, blacklist, queue and user go.
     */
    Set<Matching.Contender> others(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        lookSoon();
        SchedulerApplicationAttempt first = requests.scheduled(asks.attempt());
        if (first == null) {
            return Set.of();
        }
        CapacityNearness nearness = new CapacityNearness(
                rmContext.getScheduler().getResourceCalculator(),
                rmContext.getScheduler().getClusterResource(),
                placement.settings().match().ahead());
        Resource container = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        Set<Matching.Contender> others = new LinkedHashSet<>();
        int looks = 0;
        for (Ask other : seen.asks()) {
            if (others.size() == MOST_OTHERS || ++looks > MOST_LOOKS) {
                break;
            }
            if (!others.contains(other.contender())
                    && isInOrder(other.asks(), asks)
                    && mayHave(other, node, mode)
                    && nearness.mayComeBefore(other.application(), first, container, node.getPartition())) {
                others.add(other.contender());
            }
        }
        return others;
    }

    private static boolean isInOrder(
            InterferenceAppPlacementAllocator<?> other, InterferenceAppPlacementAllocator<?> first) {
        return !other.attempt().equals(first.attempt())
                || (!other.equals(first)
                        && other.key().getPriority().equals(first.key().getPriority()));
    }

    private boolean mayHave(Ask ask, SchedulerNode node, SchedulingMode mode) {
        return ask.asks().getOutstandingAsksCount(ResourceRequest.ANY) > 0
                && ask.asks().mayBeOn(node, mode)
                && fits(ask.size(), node.getUnallocatedResource())
                && !ask.application().isPlaceBlacklisted(node.getNodeName())
                && !ask.application().isPlaceBlacklisted(node.getRackName());
    }

    private boolean fits(Resource size, Resource room) {
        return Resources.fitsIn(rmContext.getScheduler().getResourceCalculator(), size, room);
    }

    private void lookSoon() {
        if (clock.instant().isBefore(seen.until()) || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            background.execute(this::look);
        } catch (RejectedExecutionException e) {
            // The plugin has stopped; nobody is declined anything.
            seen = new Seen(List.of(), Instant.MAX);
        }
    }

    /** Looks who waits, and forgets who does no more: they say so when they ask again. */
    void look() {
        try {
            Instant now = clock.instant();
            List<Ask> asks = new ArrayList<>();
            // Of contenders that are alike the last one counts, and a set by identity has another order in every
            // process.
            List<InterferenceAppPlacementAllocator<?>> inOrder = new ArrayList<>(waiting);
            inOrder.sort(BY_ATTEMPT_AND_KEY);
            for (InterferenceAppPlacementAllocator<?> each : inOrder) {
                if (!isWaiting(each, asks, now)) {
                    waiting.remove(each);
                }
            }
            seen = new Seen(asks, now.plus(HELD));
        } catch (Throwable e) {
            placement.failed(e);
        } finally {
            looking.set(false);
        }
    }

    private boolean isWaiting(InterferenceAppPlacementAllocator<?> asks, List<Ask> found, Instant now) {
        Optional<Request> request =
                asks.getOutstandingAsksCount(ResourceRequest.ANY) > 0 ? requests.of(asks) : Optional.empty();
        SchedulerApplicationAttempt application = requests.scheduled(asks.attempt());
        if (request.isEmpty() || application == null) {
            return false;
        }
        Optional<Matching.Contender> contender = placement.contender(request.get(), now);
        Resource size = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        if (contender.isPresent() && fits(size, application.getHeadroom())) {
            found.add(new Ask(asks, application, size, contender.get()));
        }
        return true;
    }
}
