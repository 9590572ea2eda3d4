package org.interference.yarn.place.yarn;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Groups;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Request;

/**
 * Which applications get nothing yet because their first containers are to start together, in YARN's terms. Scheduling threads ask one map; a background thread looks where there is
 * room. Thread-safe; no method throws, and whatever fails keeps nobody back.
 */
final class WaitingGroups {
    private final Groups groups;
    private final Gate gate;
    private final RMContext rmContext;
    private final Requests requests;
    private final Fitting fitting;
    private final InstantSource clock;

    WaitingGroups(Placement placement, RMContext rmContext, Requests requests, Fitting fitting, InstantSource clock) {
        this.groups = placement.groups();
        this.gate = placement.gate();
        this.rmContext = rmContext;
        this.requests = requests;
        this.fitting = fitting;
        this.clock = clock;
    }

    /** Notes that an application asks for containers, which may be one that begins with a group of them. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        Duration most = gate.settings().match().groupWait();
        if (!most.isZero() && !gate.isOff()) {
            gate.decide(() -> noted(asks, most), false);
        }
    }

    private boolean noted(InterferenceAppPlacementAllocator<?> asks, Duration most) {
        RMApp app = rmContext.getRMApps().get(asks.attempt().getApplicationId());
        Collection<String> tags = app == null ? null : app.getApplicationTags();
        OptionalInt size = tags == null ? OptionalInt.empty() : Groups.size(tags);
        if (size.isEmpty() || asks.getOutstandingAsksCount(ResourceRequest.ANY) <= 0) {
            return false;
        }
        Optional<Request> heard = requests.of(asks).filter(this::isHeard);
        heard.ifPresent(request -> groups.asks(request.attempt(), size.getAsInt(), most, clock.instant()));
        return heard.isPresent();
    }

    /** Returns whether tags of its queue are heard, and obeyed; an ApplicationMaster is no member. */
    private boolean isHeard(Request request) {
        return !request.applicationMaster()
                && gate.mode(request.queue()) == Mode.ON
                && gate.settings().tags().of(request.queue(), 0.0) > 0;
    }

    /** Returns whether any application may be kept back. */
    boolean isAnybody() {
        return groups.isAnybody();
    }

    /** Returns whether what is asked for here is to get nothing now. */
    boolean keeps(InterferenceAppPlacementAllocator<?> asks) {
        return groups.isAnybody() && gate.decide(() -> keepsNow(asks), false);
    }

    private boolean keepsNow(InterferenceAppPlacementAllocator<?> asks) {
        return groups.keeps(asks.attempt().toString(), clock.instant())
                && requests.of(asks).filter(this::isHeard).isPresent();
    }

    /** Returns why {@code attempt} gets nothing. */
    Optional<Groups.Waiting> waiting(ApplicationAttemptId attempt) {
        return groups.waiting(attempt.toString(), clock.instant());
    }

    /** Looks for whom there is room, and forgets who is gone. */
    void look() {
        groups.retain(attempt -> requests.scheduled(ApplicationAttemptId.fromString(attempt)) != null);
        if (!groups.isAnybody()) {
            return;
        }
        if (gate.settings().match().groupWait().isZero() || !gate.decide(this::looked, false)) {
            groups.forgetAll();
        }
    }

    private boolean looked() {
        List<Groups.Wanted<Sized>> wanted = new ArrayList<>();
        for (SchedulerApplication<?> application :
                scheduler().getSchedulerApplications().values()) {
            SchedulerApplicationAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null
                    && groups.knows(attempt.getApplicationAttemptId().toString())) {
                wanted.add(wanted(attempt));
            }
        }
        groups.look(
                wanted,
                free(),
                new Groups.Arithmetic<>(
                        this::fits,
                        Sized::minus,
                        Comparator.<Sized>comparingLong(sized -> sized.size().getMemorySize())
                                .reversed()),
                clock.instant());
        return true;
    }

    private static Groups.Wanted<Sized> wanted(SchedulerApplicationAttempt attempt) {
        List<Sized> asked = new ArrayList<>();
        int elsewhere = 0;
        for (SchedulerRequestKey key : attempt.getAppSchedulingInfo().getSchedulerKeys()) {
            if (attempt.getAppPlacementAllocator(key) instanceof InterferenceAppPlacementAllocator<?> asks
                    && asks.canDelayTo(ResourceRequest.ANY)) {
                Sized size = new Sized(
                        asks.getPrimaryRequestedNodePartition(),
                        asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
                int count = Math.min(Groups.MOST, asks.getOutstandingAsksCount(ResourceRequest.ANY));
                for (int i = 0; i < count; i++) {
                    asked.add(size);
                }
            } else {
                elsewhere += attempt.getAppSchedulingInfo().getPendingAsk(key).getCount();
            }
        }
        int running = (int) attempt.getLiveContainers().stream()
                .filter(container -> !container.isAMContainer())
                .count();
        return new Groups.Wanted<>(
                attempt.getApplicationAttemptId().toString(),
                running,
                asked,
                elsewhere,
                Optional.ofNullable(attempt.getHeadroom()).map(headroom -> new Sized(Sized.ANYWHERE, headroom)));
    }

    /** What runs on a node that is reserved for somebody will be his. */
    private List<Sized> free() {
        List<Sized> free = new ArrayList<>();
        rmContext.getRMNodes().forEach((id, rmNode) -> {
            SchedulerNode node = scheduler().getSchedulerNode(id);
            if (node != null && rmNode.getState() == NodeState.RUNNING && node.getReservedContainer() == null) {
                free.add(new Sized(node.getPartition(), Resources.clone(node.getUnallocatedResource())));
            }
        });
        return free;
    }

    /** The FairScheduler counts everything, whatever its calculator says. */
    private boolean fits(Sized ask, Sized free) {
        return ask.mayBeIn(free)
                && fitting.fits(ask.size(), free.size())
                && (!(rmContext.getScheduler() instanceof FairScheduler) || Resources.fitsIn(ask.size(), free.size()));
    }

    /**
     * What is asked for of a partition, or free there: who asks for one that is not exclusive may get more, but nobody can rely on that.
     *
     * @param partition of nodes; {@link #ANYWHERE} for what an application may have in all
     */
    private record Sized(String partition, Resource size) {
        /** No partition has that name. */
        static final String ANYWHERE = "*";

        Sized minus(Sized other) {
            return new Sized(partition, Resources.subtract(size, other.size()));
        }

        boolean mayBeIn(Sized free) {
            return free.partition.equals(ANYWHERE) || free.partition.equals(partition);
        }
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
    }
}
