package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

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
 * <p>The applications of a queue are kept in their order from one of the scheduler's updates to the next, half a second by default: sorting
 * all of them takes longer than many decisions, and meanwhile only those move that get or give back a container. An application that comes,
 * and what one asks for more, has no demand before the next update, for the parent as for this. One that becomes runnable, or changes its
 * queue, is served by the parent at once, and has no place here before the next update. Not thread-safe but for {@link #moved}: under the
 * scheduler's write lock.
 *
 * @param <K> the kind of task that an application is matched as
 */
public final class NeedyApplications<K> {
    /** Of an application with more sorts of asks the others are left to the parent. */
    private static final int MOST_ASKS = 8;
    /** So many applications of a queue are looked at for one decision. */
    private static final int MOST_LOOKS = 200;
    /** That many moves between two decisions are no moment any more. */
    private static final int MOST_MOVES = 1000;

    private final OpenFairScheduler scheduler;
    private final BiFunction<FSAppAttempt, SchedulerRequestKey, Optional<K>> kinds;

    /** Read when a decision first gets to a queue. */
    private final Map<FSLeafQueue, Places<K>> byQueue = new HashMap<>();

    /** Whoever holds more or less than when it got its place. */
    private final Set<ApplicationAttemptId> moved = ConcurrentHashMap.newKeySet();

    /** Whether places are kept, so that moves matter. */
    private volatile boolean kept;

    /** Whether the last decision has read a queue. */
    private boolean read;

    /** Containers that an application may be ahead, as places were read. */
    private int ahead;

    /**
     * An application, as it was when it was looked at.
     *
     * @param held with what it held: by that it has its place, and nobody is lost among others of whom nothing was heard since
     * @param container the size of what it asks for first
     * @param kinds what it is matched as, by what is served; what is not in it is left to the parent
     * @param further if it had got so many containers as it may be ahead
     */
    private record Place<K>(
            FSAppAttempt application,
            FurtherAhead held,
            Resource container,
            Map<SchedulerRequestKey, K> kinds,
            FurtherAhead further) {
        Place(FSAppAttempt application, Resource container, Map<SchedulerRequestKey, K> kinds, int ahead) {
            this(
                    application,
                    FurtherAhead.byNothing(application),
                    container,
                    kinds,
                    new FurtherAhead(application, ahead, container));
        }

        /** Returns its next place. While it asks for nothing, what it asked for last counts. */
        Place<K> moved(int ahead) {
            return new Place<>(application, firstAsk(application).orElse(container), kinds, ahead);
        }
    }

    /** The applications of one queue. */
    private static final class Places<K> {
        /** The neediest first. */
        private final List<Place<K>> inOrder = new ArrayList<>();
        /** As what any of them is matched, or was since the last update. */
        private final Set<K> kinds = new HashSet<>();

        void add(int at, Place<K> place) {
            inOrder.add(at, place);
            kinds.addAll(place.kinds().values());
        }
    }

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
        scheduler.afterUpdates(this::forget);
    }

    /**
     * Returns who may be served on {@code node}, in the parent's order, of those of one kind the first: the parent would serve the first,
     * and everybody else would be served before any needier one of its queue if that had got {@code containersAhead} containers more, and each
     * queue above it before any needier one beside it if that had got twice as many.
     *
     * @param most how many to return
     * @return empty if the parent is to decide
     */
    public List<Candidate<K>> almostEquallyNeedy(FSSchedulerNode node, int containersAhead, int most) {
        read = false;
        if (!kept || containersAhead != ahead) {
            forget();
            kept = true;
            ahead = containersAhead;
        } else {
            scheduler.asIfNothingWasOffered(this::putInPlace);
        }
        Walk walk = new Walk(node, most);
        walk.visit(scheduler.getQueueManager().getRootQueue());
        return walk.candidates;
    }

    /** Returns whether it has just read all applications of a queue, which takes as long as many decisions. */
    public boolean hasRead() {
        return read;
    }

    /** Has every queue read anew when a decision next gets to it: also where what an application is matched as may have changed. */
    public void forget() {
        kept = false;
        byQueue.clear();
        moved.clear();
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
        // Of several attempts YARN knows the last one alone, which has one place.
        Set<FSAppAttempt> applications = new HashSet<>();
        for (Iterator<ApplicationAttemptId> each = moved.iterator(); each.hasNext(); ) {
            FSAppAttempt application = scheduler.getSchedulerApp(each.next());
            each.remove();
            if (application != null && byQueue.containsKey(application.getQueue())) {
                applications.add(application);
            }
        }
        // All are taken out before the first is put in: in between nothing is in order.
        List<Place<K>> taken = new ArrayList<>();
        for (FSAppAttempt application : applications) {
            takeOut(application, byQueue.get(application.getQueue()).inOrder).ifPresent(taken::add);
        }
        for (Place<K> place : taken) {
            FSLeafQueue queue = place.application().getQueue();
            if (!OpenFairScheduler.isNeedy(place.application()) || !queue.isRunnableApp(place.application())) {
                continue;
            }
            Places<K> places = byQueue.get(queue);
            Comparator<Schedulable> neediest = queue.getPolicy().getComparator();
            int at = Collections.binarySearch(
                    places.inOrder, place, (one, other) -> neediest.compare(one.held(), other.held()));
            places.add(at < 0 ? -at - 1 : at, place);
        }
    }

    /** Returns the place that {@code application} is to get; empty if it waits for nothing. As what it is matched only an update changes. */
    private Optional<Place<K>> takeOut(FSAppAttempt application, List<Place<K>> places) {
        for (int i = 0; i < places.size(); i++) {
            if (places.get(i).application().equals(application)) {
                return Optional.of(places.remove(i).moved(ahead));
            }
        }
        return place(application);
    }

    private Places<K> places(FSLeafQueue queue) {
        read = true;
        Places<K> places = new Places<>();
        // They stay for decisions about other nodes.
        scheduler.asIfNothingWasOffered(() -> {
            for (FSAppAttempt application : scheduler.needyApplications(queue)) {
                place(application).ifPresent(place -> places.add(places.inOrder.size(), place));
            }
        });
        return places;
    }

    private Optional<Place<K>> place(FSAppAttempt application) {
        return firstAsk(application).map(first -> new Place<>(application, first, kinds(application), ahead));
    }

    /** Returns the size of what {@code application} asks for first; empty if it asks for nothing. */
    private static Optional<Resource> firstAsk(FSAppAttempt application) {
        for (SchedulerRequestKey key : application.getSchedulerKeys()) {
            PendingAsk ask = application.getPendingAsk(key, ResourceRequest.ANY);
            if (ask.getCount() > 0) {
                return Optional.of(ask.getPerAllocationResource());
            }
        }
        return Optional.empty();
    }

    private Map<SchedulerRequestKey, K> kinds(FSAppAttempt application) {
        Map<SchedulerRequestKey, K> matched = new LinkedHashMap<>();
        int asks = 0;
        for (SchedulerRequestKey key : application.getSchedulerKeys()) {
            if (application.getPendingAsk(key, ResourceRequest.ANY).getCount() > 0) {
                kinds.apply(application, key).ifPresent(kind -> matched.put(key, kind));
                asks++;
                if (asks == MOST_ASKS) {
                    break;
                }
            }
        }
        return matched;
    }

    /** One decision's way through the queues, in the order in which the parent would try them. */
    private final class Walk {
        private final FSSchedulerNode node;
        private final int most;
        private final List<Candidate<K>> candidates = new ArrayList<>();
        private final Set<K> seen = new HashSet<>();
        private boolean ended;

        Walk(FSSchedulerNode node, int most) {
            this.node = node;
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
            Nearness nearness = new Nearness(parent.getPolicy());
            Optional<Resource> container = Optional.empty();
            for (FSQueue child : OpenFairScheduler.inOrder(parent)) {
                if (ended || !nearness.holds(child)) {
                    break;
                }
                Optional<Resource> its = visit(child);
                its.ifPresent(size -> nearness.waits(new FurtherAhead(child, 2 * ahead, size)));
                container = container.or(() -> its);
            }
            return container;
        }

        private Optional<Resource> visitApplications(FSLeafQueue queue) {
            Nearness nearness = new Nearness(queue.getPolicy());
            MastersShare masters = new MastersShare(queue);
            MaxShare maxShare = new MaxShare(queue);
            Optional<Resource> container = Optional.empty();
            int looks = 0;
            Places<K> places = byQueue.computeIfAbsent(queue, NeedyApplications.this::places);
            boolean allSeen = seen.containsAll(places.kinds);
            for (Place<K> place : places.inOrder) {
                FSAppAttempt application = place.application();
                // Of one kind the first is enough.
                if (ended || (allSeen && container.isPresent()) || !nearness.holds(application)) {
                    break;
                }
                looks++;
                if (looks > MOST_LOOKS) {
                    // Without its neediest one a queue cannot be compared with the next.
                    ended = container.isEmpty();
                    break;
                }
                if (!OpenFairScheduler.isRunningIn(application, queue) || masters.holdsBack(application)) {
                    continue;
                }
                if (container.isEmpty() || !seen.containsAll(place.kinds().values())) {
                    NextAsk next = NextAsk.of(scheduler, application, node, maxShare);
                    if (next.outcome() == NextAsk.Outcome.PASSED) {
                        continue;
                    }
                    allSeen = add(application, next.key(), place.kinds()) ? seen.containsAll(places.kinds) : allSeen;
                }
                nearness.waits(place.further());
                container = container.or(() -> Optional.of(place.container()));
            }
            return container;
        }

        /** Returns whether it is one more kind. */
        private boolean add(
                FSAppAttempt application, Optional<SchedulerRequestKey> key, Map<SchedulerRequestKey, K> kinds) {
            Optional<K> kind = key.map(kinds::get);
            boolean more = kind.isPresent() && seen.add(kind.get());
            if (more) {
                candidates.add(new Candidate<>(application, key.get(), kind.get()));
            }
            // Whom the parent would serve first is nobody that is matched.
            ended = candidates.isEmpty() || candidates.size() >= most;
            return more;
        }
    }
}
