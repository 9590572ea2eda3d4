package org.interference.yarn.place.yarn;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
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
    private final Fitting fitting;
    private final InstantSource clock;
    private final Executor background;

    /** Who asks, and has not got everything yet, by identity. */
    private final Set<InterferenceAppPlacementAllocator<?>> waiting = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean looking = new AtomicBoolean();
    /** Whether there may be some who ask that are not noted. */
    private volatile boolean missed;

    private volatile Seen seen = Seen.NOBODY;

    /**
     * Who waits, as somebody has looked.
     *
     * @param asks of those whose queue and user may have them, each application's in its own order
     * @param kinds as how many different contenders they are matched
     * @param several whether their tasks are of more than one kind, whoever asks
     * @param until when somebody is to look again
     */
    private record Seen(List<Ask> asks, int kinds, boolean several, Instant until) {
        static final Seen NOBODY = new Seen(List.of(), 0, false, Instant.MIN);
    }

    /**
     * One ask.
     *
     * @param size one object for all of one size
     * @param kind which of the contenders it is, from 0
     * @param sole whether its application asks for nothing else
     * @param anywhere whether it may be on any node, and had none blacklisted
     */
    private record Ask(
            InterferenceAppPlacementAllocator<?> asks,
            SchedulerApplicationAttempt application,
            Resource size,
            Matching.Contender contender,
            int kind,
            boolean sole,
            boolean anywhere) {
        /** Returns whether this is what {@code other}'s application asks for after {@code other}. */
        boolean isBehind(Ask other) {
            return !sole
                    && other != null
                    && application.equals(other.application)
                    && !asks.key().getPriority().equals(other.asks.key().getPriority());
        }
    }

    WaitingAsks(
            Placement placement,
            RMContext rmContext,
            Requests requests,
            Fitting fitting,
            InstantSource clock,
            Executor background) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.requests = requests;
        this.fitting = fitting;
        this.clock = clock;
        this.background = background;
    }

    /** Notes that there may be containers to wait for. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        waiting.add(asks);
    }

    /** Notes that somebody has asked while nothing is matched. */
    void missed() {
        missed = true;
    }

    /** Returns whether tasks of more than one kind wait, as far as anybody has looked. */
    boolean areOfSeveralKinds() {
        lookSoon();
        return seen.several();
    }

    /**
     * Returns who else may have {@code node}, each once: what waits there almost as needily (ADR-0027), of the same application only with the
     * same priority, for its own order it has made itself, of another only what that asks for first, and would be let have it now as far as
     * partition, size, places, queue and user go.
     */
    List<Matching.Contender> others(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        lookSoon();
        Seen all = seen;
        SchedulerApplicationAttempt first = requests.scheduled(asks.attempt());
        if (first == null) {
            return List.of();
        }
        CapacityNearness nearness = new CapacityNearness(
                rmContext.getScheduler().getResourceCalculator(),
                rmContext.getScheduler().getClusterResource(),
                placement.gate().settings().match().ahead(),
                first,
                asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource(),
                node.getPartition());
        Room room = new Room(fitting, node);
        boolean[] taken = new boolean[all.kinds()];
        List<Matching.Contender> others = new ArrayList<>(MOST_OTHERS);
        Ask served = null;
        int looks = Math.min(MOST_LOOKS, all.asks().size());
        int most = Math.min(MOST_OTHERS, all.kinds());
        for (int i = 0; i < looks && others.size() < most; i++) {
            Ask other = all.asks().get(i);
            if (other.isBehind(served)
                    || (taken[other.kind()] && other.sole())
                    || !isInOrder(other, asks, first)
                    || !mayHave(other, room, mode)) {
                continue;
            }
            served = other;
            if (!taken[other.kind()] && nearness.mayComeBefore(other.application())) {
                taken[other.kind()] = true;
                others.add(other.contender());
            }
        }
        return others;
    }

    /** @param application that {@code first} asks for; YARN has one object for each */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isInOrder(
            Ask other, InterferenceAppPlacementAllocator<?> first, SchedulerApplicationAttempt application) {
        return other.application() != application
                || (!other.asks().equals(first)
                        && other.asks().key().getPriority().equals(first.key().getPriority()));
    }

    private static boolean isOfOneApplication(
            InterferenceAppPlacementAllocator<?> one, InterferenceAppPlacementAllocator<?> other) {
        return one.attempt().equals(other.attempt());
    }

    private static boolean mayHave(Ask ask, Room room, SchedulingMode mode) {
        return ask.asks().getOutstandingAsksCount(ResourceRequest.ANY) > 0
                && room.has(ask.size())
                && ask.asks().mayBeOn(room.node, mode)
                && !ask.asks().isKeptFrom(room.node)
                && (ask.anywhere() || mayBeThere(ask, room.node));
    }

    /** What there is room for on one node, in one decision: mostly all who wait ask for the same size, which is looked at once. */
    private static final class Room {
        private final Fitting fitting;
        private final SchedulerNode node;
        private Resource size;
        private boolean has;

        private Room(Fitting fitting, SchedulerNode node) {
            this.fitting = fitting;
            this.node = node;
        }

        /** @param asked one object for all of one size */
        @SuppressWarnings("ReferenceEquality")
        boolean has(Resource asked) {
            if (asked != size) {
                size = asked;
                has = fitting.fits(asked, node);
            }
            return has;
        }
    }

    /** One that names places is taken for a contender on nodes that it names: elsewhere YARN may have it wait for a nearer one. */
    private static boolean mayBeThere(Ask ask, SchedulerNode node) {
        InterferenceAppPlacementAllocator<?> asks = ask.asks();
        if (asks.getUniqueLocationAsks() > 1 && asks.getOutstandingAsksCount(node.getNodeName()) == 0) {
            return false;
        }
        boolean onRack = asks.getOutstandingAsksCount(node.getRackName()) > 0;
        return (asks.canDelayTo(ResourceRequest.ANY) || onRack)
                && (!onRack
                        || asks.canDelayTo(node.getRackName())
                        || asks.getOutstandingAsksCount(node.getNodeName()) > 0)
                && !isBlacklisted(ask, node.getNodeName())
                && !isBlacklisted(ask, node.getRackName());
    }

    /**
     * Returns whether an application has blacklisted a place. Its attempt would take its own lock to answer: whoever holds that, as to change what is asked for, may wait for a
     * scheduling thread that waits for this one. No ApplicationMaster contends.
     */
    private static boolean isBlacklisted(Ask ask, String place) {
        return ask.application().getAppSchedulingInfo().isPlaceBlacklisted(place, false);
    }

    private void lookSoon() {
        if (clock.instant().isBefore(seen.until()) || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            background.execute(this::look);
        } catch (RejectedExecutionException e) {
            // The plugin has stopped; nobody is declined anything.
            seen = new Seen(List.of(), 0, false, Instant.MAX);
        }
    }

    /** Looks who waits, and forgets who does no more: they say so when they ask again. */
    void look() {
        try {
            seen = placement.gate().decide(this::whoWaits, seen);
        } finally {
            looking.set(false);
        }
    }

    private Seen whoWaits() {
        Instant now = clock.instant();
        if (missed && placement.freeNodes().mayMatch()) {
            missed = false;
            noteWhoAsksAlready();
        }
        List<Ask> found = new ArrayList<>();
        Map<Matching.Contender, Integer> kinds = new HashMap<>();
        Map<Resource, Resource> sizes = new HashMap<>();
        // Of contenders that are alike the first one counts, and a set by identity has another order in every
        // process.
        List<InterferenceAppPlacementAllocator<?>> inOrder = new ArrayList<>(waiting);
        inOrder.sort(BY_ATTEMPT_AND_KEY);
        for (int i = 0; i < inOrder.size(); i++) {
            boolean sole = !isBesideItsOwn(inOrder, i, i - 1) && !isBesideItsOwn(inOrder, i, i + 1);
            if (!isWaitingOrFails(inOrder.get(i), sole, found, kinds, sizes, now)) {
                waiting.remove(inOrder.get(i));
            }
        }
        boolean several = kinds.keySet().stream()
                        .map(Matching.Contender::ofAnybody)
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
        return new Seen(found, kinds.size(), several, now.plus(HELD));
    }

    /** Who has asked while nothing was matched, as in the first seconds of a ResourceManager's life, has no reason to ask again. */
    private void noteWhoAsksAlready() {
        ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getSchedulerApplications()
                .values()
                .forEach(application -> {
                    SchedulerApplicationAttempt attempt = application.getCurrentAppAttempt();
                    if (attempt != null) {
                        AppSchedulingInfo info = attempt.getAppSchedulingInfo();
                        info.getSchedulerKeys().forEach(key -> {
                            if (info.getAppPlacementAllocator(key)
                                    instanceof InterferenceAppPlacementAllocator<?> asks) {
                                waiting.add(asks);
                            }
                        });
                    }
                });
    }

    private static boolean isBesideItsOwn(List<InterferenceAppPlacementAllocator<?>> inOrder, int one, int other) {
        return other >= 0 && other < inOrder.size() && isOfOneApplication(inOrder.get(one), inOrder.get(other));
    }

    /** One that cannot be looked at hides no other, and is not looked at again before it asks again. */
    private boolean isWaitingOrFails(
            InterferenceAppPlacementAllocator<?> asks,
            boolean sole,
            List<Ask> found,
            Map<Matching.Contender, Integer> kinds,
            Map<Resource, Resource> sizes,
            Instant now) {
        try {
            return isWaiting(asks, sole, found, kinds, sizes, now);
        } catch (RuntimeException e) {
            placement.gate().failed(e);
            return false;
        }
    }

    private boolean isWaiting(
            InterferenceAppPlacementAllocator<?> asks,
            boolean sole,
            List<Ask> found,
            Map<Matching.Contender, Integer> kinds,
            Map<Resource, Resource> sizes,
            Instant now) {
        Optional<Request> request =
                asks.getOutstandingAsksCount(ResourceRequest.ANY) > 0 ? requests.of(asks) : Optional.empty();
        SchedulerApplicationAttempt application = requests.scheduled(asks.attempt());
        if (request.isEmpty() || application == null || !isAskedBy(application, asks)) {
            return false;
        }
        Optional<Matching.Contender> contender = placement.freeNodes().contender(request.get(), now);
        Resource size = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        if (contender.isPresent() && fitting.fits(size, application.getHeadroom())) {
            boolean anywhere = asks.getUniqueLocationAsks() <= 1
                    && asks.canDelayTo(ResourceRequest.ANY)
                    && application.getAppSchedulingInfo().getBlackListCopy().isEmpty();
            int kind = kinds.computeIfAbsent(contender.get(), same -> kinds.size());
            Resource same = sizes.computeIfAbsent(size, first -> first);
            found.add(new Ask(asks, application, same, contender.get(), kind, sole, anywhere));
        }
        return true;
    }

    /**
     * Returns whether {@code application}, the newest attempt, is who asks through {@code asks}: YARN answers with that one when it is asked for an earlier one, and what that has
     * asked for stays as it was.
     */
    @SuppressWarnings("ReferenceEquality") // The very object that YARN asks.
    private static boolean isAskedBy(
            SchedulerApplicationAttempt application, InterferenceAppPlacementAllocator<?> asks) {
        return application.getAppSchedulingInfo().getAppPlacementAllocator(asks.key()) == asks;
    }
}
