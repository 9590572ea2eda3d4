package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Who waits in a FairScheduler and is almost as needy as whom the parent would serve, by the policies of the queues (ADR-0027).
 *
 * <p>The applications of a queue are kept in their order for a moment: sorting all of them takes longer than a decision, and from one
 * decision to the next only those move that have got or given back a container. An application that comes, and what changes
 * otherwise, counts when the moment is over. Not thread-safe but for {@link #moved}: under the scheduler's write lock.
 *
 * @param <K> the kind of task that an application is matched as
 */
public final class NeedyApplications<K> {
    private static final Duration HELD = Duration.ofMillis(100);
    /** Of an application with more sorts of asks the others are left to the parent. */
    private static final int MOST_ASKS = 8;
    /** So many applications of a queue are looked at for one decision. */
    private static final int MOST_LOOKS = 200;
    /** That many moves between two decisions are no moment any more. */
    private static final int MOST_MOVES = 1000;

    private final OpenFairScheduler scheduler;
    private final BiFunction<FSAppAttempt, SchedulerRequestKey, Optional<K>> kinds;

    /** The neediest first; read when a decision first gets to a queue. */
    private final Map<FSLeafQueue, List<Place<K>>> byQueue = new HashMap<>();

    /** Whoever holds more or less than when it got its place. */
    private final Set<ApplicationAttemptId> moved = ConcurrentHashMap.newKeySet();

    /** Whether places are kept, so that moves matter. */
    private volatile boolean kept;

    private Instant until = Instant.MIN;

    /**
     * An application, as it was when it was looked at.
     *
     * @param container the size of what it asks for first
     * @param kinds what it is matched as, by what is served; what is not in it is left to the parent
     */
    private record Place<K>(FSAppAttempt application, Resource container, Map<SchedulerRequestKey, K> kinds) {}

    /**
     * An application that may be served.
     *
     * @param key of what it is served now
     * @param kind as what it is matched then
     */
    public record Candidate<K>(FSAppAttempt application, SchedulerRequestKey key, K kind) {}

    /**
     * Nobody is looked at yet.
     *
     * @param kinds what an application is matched as with what it asks for under a key; empty if it is left to the parent
     */
    public NeedyApplications(
            OpenFairScheduler scheduler, BiFunction<FSAppAttempt, SchedulerRequestKey, Optional<K>> kinds) {
        this.scheduler = scheduler;
        this.kinds = kinds;
    }

    /**
     * Returns who may be served on {@code node}, in the parent's order, of those of one kind the first: the parent would serve the first,
     * and everybody else would be served before any needier one of its queue if that had got {@code ahead} containers more, and each
     * queue above it before any needier one beside it if that had got twice as many.
     *
     * @param most how many to return
     * @return empty if the parent is to decide
     */
    public List<Candidate<K>> almostEquallyNeedy(FSSchedulerNode node, int ahead, int most, Instant now) {
        if (!kept || !now.isBefore(until)) {
            kept = true;
            byQueue.clear();
            moved.clear();
            until = now.plus(HELD);
        } else {
            putInPlace();
        }
        Walk walk = new Walk(node, ahead, most);
        walk.visit(scheduler.getQueueManager().getRootQueue());
        return walk.candidates;
    }

    /** Notes that {@code application} has got or given back a container. Thread-safe. */
    public void moved(ApplicationAttemptId application) {
        if (kept) {
            moved.add(application);
            if (moved.size() > MOST_MOVES) {
                kept = false;
            }
        }
    }

    /** Gives those that have moved their places among the others of their queues. */
    private void putInPlace() {
        List<FSAppAttempt> applications = new ArrayList<>();
        for (Iterator<ApplicationAttemptId> each = moved.iterator(); each.hasNext(); ) {
            FSAppAttempt application = scheduler.getSchedulerApp(each.next());
            each.remove();
            if (application != null && byQueue.containsKey(application.getQueue())) {
                applications.add(application);
                byQueue.get(application.getQueue())
                        .removeIf(place -> place.application().equals(application));
            }
        }
        for (FSAppAttempt application : applications) {
            FSLeafQueue queue = application.getQueue();
            List<Place<K>> places = byQueue.get(queue);
            Comparator<Schedulable> neediest = queue.getPolicy().getComparator();
            if (!OpenFairScheduler.isNeedy(application) || !queue.isRunnableApp(application)) {
                continue;
            }
            place(application).ifPresent(place -> {
                int at = Collections.binarySearch(
                        places, place, (one, other) -> neediest.compare(one.application(), other.application()));
                places.add(at < 0 ? -at - 1 : at, place);
            });
        }
    }

    private List<Place<K>> places(FSLeafQueue queue) {
        List<Place<K>> places = new ArrayList<>();
        for (FSAppAttempt application : scheduler.needyApplications(queue)) {
            place(application).ifPresent(places::add);
        }
        return places;
    }

    private Optional<Place<K>> place(FSAppAttempt application) {
        Resource first = null;
        Map<SchedulerRequestKey, K> matched = new LinkedHashMap<>();
        int asks = 0;
        for (SchedulerRequestKey key : application.getSchedulerKeys()) {
            PendingAsk ask = application.getPendingAsk(key, ResourceRequest.ANY);
            if (ask.getCount() > 0) {
                first = first == null ? ask.getPerAllocationResource() : first;
                kinds.apply(application, key).ifPresent(kind -> matched.put(key, kind));
                asks++;
                if (asks == MOST_ASKS) {
                    break;
                }
            }
        }
        return first == null ? Optional.empty() : Optional.of(new Place<>(application, first, matched));
    }

    /** One decision's way through the queues, in the order in which the parent would try them. */
    private final class Walk {
        private final FSSchedulerNode node;
        private final int ahead;
        private final int most;
        private final List<Candidate<K>> candidates = new ArrayList<>();
        private final Set<K> seen = new HashSet<>();
        private boolean ended;

        Walk(FSSchedulerNode node, int ahead, int most) {
            this.node = node;
            this.ahead = ahead;
            this.most = most;
        }

        /**
         * Adds who may be served of {@code queue}.
         *
         * @return the size of the neediest one's container; empty if nobody there waits for this node
         */
        Optional<Resource> visit(FSQueue queue) {
            if (!OpenFairScheduler.mayGetAContainer(queue, node)) {
                return Optional.empty();
            }
            return queue instanceof FSLeafQueue leaf ? visitApplications(leaf) : visitQueues(queue);
        }

        private Optional<Resource> visitQueues(FSQueue parent) {
            Nearness nearness = new Nearness(parent.getPolicy(), 2 * ahead);
            Optional<Resource> container = Optional.empty();
            for (FSQueue child : OpenFairScheduler.inOrder(parent)) {
                if (ended || !nearness.holds(child)) {
                    break;
                }
                Optional<Resource> its = visit(child);
                its.ifPresent(size -> nearness.waits(child, size));
                container = container.or(() -> its);
            }
            return container;
        }

        private Optional<Resource> visitApplications(FSLeafQueue queue) {
            Nearness nearness = new Nearness(queue.getPolicy(), ahead);
            MastersShare masters = new MastersShare(queue);
            Optional<Resource> container = Optional.empty();
            int looks = 0;
            for (Place<K> place : byQueue.computeIfAbsent(queue, NeedyApplications.this::places)) {
                FSAppAttempt application = place.application();
                if (ended || !nearness.holds(application)) {
                    break;
                }
                looks++;
                if (looks > MOST_LOOKS) {
                    // Without its neediest one a queue cannot be compared with the next.
                    ended = container.isEmpty();
                    break;
                }
                if (!scheduler.isRunningIn(application, queue) || masters.holdsBack(application)) {
                    continue;
                }
                // Of one kind the first is enough.
                if (container.isEmpty() || !seen.containsAll(place.kinds().values())) {
                    NextAsk next = NextAsk.of(scheduler, application, node);
                    if (next.outcome() == NextAsk.Outcome.PASSED) {
                        continue;
                    }
                    add(application, next.key(), place.kinds());
                }
                nearness.waits(application, place.container());
                container = container.or(() -> Optional.of(place.container()));
            }
            return container;
        }

        private void add(
                FSAppAttempt application, Optional<SchedulerRequestKey> key, Map<SchedulerRequestKey, K> kinds) {
            Optional<K> kind = key.map(kinds::get);
            if (kind.isPresent() && seen.add(kind.get())) {
                candidates.add(new Candidate<>(application, key.get(), kind.get()));
            }
            // Whom the parent would serve first is nobody that is matched.
            ended = candidates.isEmpty() || candidates.size() >= most;
        }
    }
}
