package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;

/**
 * What kinds of container the applications of a scheduler wait for, the ApplicationMasters aside: also whom a full cluster leaves no headroom.
 * Who wants to be on certain nodes and nowhere else is left out. For one thread at a time.
 */
final class WantedKinds {
    /** Of more kinds the others are not looked at. */
    static final int MOST = 64;

    private final Placement placement;
    private final RMContext rmContext;
    private final Requests requests;
    private final Predicate<Request> wanted;
    private final Instant now;
    private final List<WantedKind> found = new ArrayList<>();
    private final Set<Alike> seen = new HashSet<>();

    /** @param as whom it waits; the kind of task if nobody knows that */
    private record Alike(Object as, Resource size, String partition) {}

    /** @param wanted of which requests */
    WantedKinds(Placement placement, RMContext rmContext, Requests requests, Predicate<Request> wanted, Instant now) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.requests = requests;
        this.wanted = wanted;
        this.now = now;
    }

    /** Returns one of each kind, at most {@value #MOST}. */
    List<WantedKind> find() {
        for (SchedulerApplication<?> application : ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getSchedulerApplications()
                .values()) {
            SchedulerApplicationAttempt attempt = application.getCurrentAppAttempt();
            if (found.size() < MOST && attempt != null && !attempt.isWaitingForAMContainer()) {
                add(attempt);
            }
        }
        return found;
    }

    private void add(SchedulerApplicationAttempt attempt) {
        for (SchedulerRequestKey key : attempt.getAppSchedulingInfo().getSchedulerKeys()) {
            if (attempt.getAppPlacementAllocator(key) instanceof InterferenceAppPlacementAllocator<?> asks
                    && asks.getOutstandingAsksCount(ResourceRequest.ANY) > 0
                    && asks.canDelayTo(ResourceRequest.ANY)) {
                requests.of(asks).filter(wanted).ifPresent(request -> add(asks, request));
            }
        }
    }

    private void add(InterferenceAppPlacementAllocator<?> asks, Request request) {
        Resource size = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        String partition = asks.getPrimaryRequestedNodePartition();
        Optional<Matching.Contender> contender = placement.freeNodes().contender(request, now);
        Object as = contender.<Object>map(Matching.Contender::ofAnybody).orElseGet(request::task);
        if (seen.add(new Alike(as, size, partition))) {
            found.add(new WantedKind(request, size, partition, contender));
        }
    }
}
