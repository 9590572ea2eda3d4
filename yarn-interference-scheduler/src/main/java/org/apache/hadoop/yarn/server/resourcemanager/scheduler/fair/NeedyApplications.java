package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;

/**
 * Who waits in a FairScheduler, in its order, kept for a moment: sorting all applications takes longer than a decision, and from
 * one decision to the next only the application moves that was served. What containers that end free meanwhile makes an application
 * needier only when the moment is over. Not thread-safe: under the scheduler's write lock.
 */
public final class NeedyApplications {
    private static final Duration HELD = Duration.ofMillis(100);

    private final OpenFairScheduler scheduler;
    /** The neediest first; read when a decision first gets to a queue. */
    private final Map<FSLeafQueue, List<Place>> byQueue = new HashMap<>();

    /** Whoever has got something since it got its place. */
    private final Set<ApplicationAttemptId> served = new LinkedHashSet<>();

    private Instant until = Instant.MIN;

    /**
     * An application, as it was when it was looked at.
     *
     * @param ask what it asks for first
     * @param contender empty if it is left to the parent
     */
    public record Place(
            FSLeafQueue queue, FSAppAttempt application, Resource ask, Optional<Matching.Contender> contender) {
        private long used() {
            return application.getResourceUsage().getMemorySize();
        }
    }

    public NeedyApplications(OpenFairScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Returns who may be served on {@code node}, in the parent's order, of those that are matched alike the first: the parent would
     * serve the first, and everybody is as needy as that but for {@code ahead} containers, a queue for twice as many.
     *
     * @return empty if the parent is to decide
     */
    public List<Place> almostEquallyNeedy(FSSchedulerNode node, int ahead, YarnPlacement placement) {
        Instant now = placement.now();
        if (!now.isBefore(until)) {
            byQueue.clear();
            until = now.plus(HELD);
        } else {
            putInPlace(placement);
        }
        served.clear();
        Resource space = node.getUnallocatedResource();
        int most = Math.max(1, placement.choices());
        List<Place> eligible = new ArrayList<>();
        Set<Matching.Contender> seen = new HashSet<>();
        long leastOfQueues = -1;
        for (FSLeafQueue queue : scheduler.queuesFor(node)) {
            List<Place> places = byQueue.computeIfAbsent(queue, same -> places(same, placement));
            if (places.isEmpty()) {
                continue;
            }
            long container = Math.max(1, places.get(0).ask().getMemorySize());
            long used = queue.getResourceUsage().getMemorySize();
            leastOfQueues = leastOfQueues < 0 ? used : leastOfQueues;
            if (used - leastOfQueues > 2L * ahead * container) {
                continue;
            }
            long least = places.get(0).used();
            for (Place place : places) {
                if (eligible.size() >= most) {
                    return eligible;
                }
                boolean first = eligible.isEmpty();
                if (first && (place.contender().isEmpty() || !Resources.fitsIn(place.ask(), space))) {
                    return List.of();
                }
                if (place.contender().isPresent()
                        && !seen.contains(place.contender().get())
                        && place.used() - least <= ahead * container
                        && Resources.fitsIn(place.ask(), space)) {
                    seen.add(place.contender().get());
                    eligible.add(place);
                }
            }
        }
        return eligible;
    }

    /** Notes that {@code application} has got a container: others of its queue are needier when the next node is decided about. */
    public void served(ApplicationAttemptId application) {
        // Until somebody asks, nobody is in any place.
        if (!byQueue.isEmpty()) {
            served.add(application);
        }
    }

    /** Gives those that were served their places among the others of their queues. */
    private void putInPlace(YarnPlacement placement) {
        List<FSAppAttempt> applications = new ArrayList<>(served.size());
        for (ApplicationAttemptId attempt : served) {
            FSAppAttempt application = scheduler.getSchedulerApp(attempt);
            if (application != null && byQueue.containsKey(application.getQueue())) {
                applications.add(application);
                byQueue.get(application.getQueue())
                        .removeIf(place -> place.application().equals(application));
            }
        }
        for (FSAppAttempt application : applications) {
            FSLeafQueue queue = application.getQueue();
            List<Place> places = byQueue.get(queue);
            Comparator<Schedulable> neediest = queue.getPolicy().getComparator();
            place(queue, application, placement).ifPresent(place -> {
                int at = Collections.binarySearch(
                        places, place, (one, other) -> neediest.compare(one.application(), other.application()));
                places.add(at < 0 ? -at - 1 : at, place);
            });
        }
    }

    private List<Place> places(FSLeafQueue queue, YarnPlacement placement) {
        List<Place> places = new ArrayList<>();
        for (FSAppAttempt application : scheduler.needyApplications(queue)) {
            place(queue, application, placement).ifPresent(places::add);
        }
        return places;
    }

    private static Optional<Place> place(FSLeafQueue queue, FSAppAttempt application, YarnPlacement placement) {
        return YarnTasks.firstAsk(application)
                .map(key -> new Place(
                        queue,
                        application,
                        application.getPendingAsk(key, ResourceRequest.ANY).getPerAllocationResource(),
                        placement.contender(application, key)));
    }
}
