package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiPredicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.NeedyApplications;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.UsualGains;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Insight;

/**
 * The FairScheduler with the project's own decision ({@link Offer}) among the applications that the project's scheduler would choose among,
 * but with the world's own gains: what knowledge is worth, all else alike.
 */
final class MatchingFairScheduler extends OpenFairScheduler {
    private static final int AHEAD = 1;
    private static final int CHOICES = 8;
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);
    /** For so long a node is left at the most, as with the project's default settings. */
    private static final Duration HOLD = MAX_WAIT.dividedBy(5);

    private final TrueGains gains;
    private final boolean mayLeave;
    private final Insight insight;
    private final NeedyApplications<String> needy;
    private final UsualGains<String> usual = new UsualGains<>();
    private final Map<ApplicationAttemptId, Instant> passedOver = new HashMap<>();
    /** Since when a node has been left, and has got no container. */
    private final Map<NodeId, Instant> left = new HashMap<>();

    private BiPredicate<SchedulerNode, ApplicationAttemptId> room = (node, application) -> true;

    MatchingFairScheduler(Insight insight, Freedom freedom) {
        this.insight = insight;
        this.gains = new TrueGains(insight);
        this.mayLeave = freedom == Freedom.LEAVE;
        // Each application by itself: what it would gain may not be that of another of its kind.
        this.needy = new NeedyApplications<>(
                this,
                (application, key) ->
                        Optional.of(application.getApplicationAttemptId().toString()));
    }

    /** Has nobody placed on a node where {@code hasRoom} says that there is none for him. */
    void roomBy(BiPredicate<SchedulerNode, ApplicationAttemptId> hasRoom) {
        room = hasRoom;
    }

    @Override
    protected Decided decide(FSSchedulerNode node) {
        if (!Resources.fitsIn(getMinimumResourceCapability(), node.getUnallocatedResource())) {
            return Decided.LEFT;
        }
        Instant now = insight.clock().instant();
        List<FSAppAttempt> all = needy.almostEquallyNeedy(node, AHEAD, CHOICES).stream()
                .map(NeedyApplications.Candidate::application)
                .toList();
        if (all.isEmpty()) {
            return Decided.BY_PARENT;
        }
        List<FSAppAttempt> waiting = all.stream()
                .filter(application -> room.test(node, application.getApplicationAttemptId()))
                .toList();
        if (waiting.isEmpty()) {
            return Decided.LEFT;
        }
        Offer.Decision decision = offer(node, waiting, now).decide();
        switch (decision.reason()) {
            case LEFT -> {
                left.putIfAbsent(node.getNodeID(), now);
                waiting.forEach(one -> passedOver.putIfAbsent(one.getApplicationAttemptId(), now));
            }
            case BETTER -> passedOver.putIfAbsent(waiting.get(0).getApplicationAttemptId(), now);
            default -> {}
        }
        if (decision.reason() == Offer.Reason.LEFT) {
            return Decided.LEFT;
        }
        return decision.winner().isPresent()
                        && assign(waiting.get(decision.winner().getAsInt()), node)
                ? Decided.ALLOCATED
                : Decided.BY_PARENT;
    }

    private Offer offer(FSSchedulerNode node, List<FSAppAttempt> waiting, Instant now) {
        List<OptionalDouble> known = waiting.stream()
                .map(application -> gains.gain(node, application.getApplicationAttemptId()))
                .toList();
        // Of one kind all gain the same.
        Map<String, Double> excess = new HashMap<>();
        List<Offer.Bid> bids = new ArrayList<>();
        for (int i = 0; i < known.size(); i++) {
            if (known.get(i).isEmpty()) {
                bids.add(Offer.Bid.UNKNOWN);
                continue;
            }
            double gain = known.get(i).getAsDouble();
            bids.add(new Offer.Bid(
                    gain, gain, excess.computeIfAbsent(kind(waiting.get(i)), kind -> usual.offered(kind, gain, now))));
        }
        Instant since = passedOver.get(waiting.get(0).getApplicationAttemptId());
        Instant leftSince = left.get(node.getNodeID());
        boolean mayBeLeft = mayLeave && (leftSince == null || now.isBefore(leftSince.plus(HOLD)));
        return new Offer(bids, since != null && !now.isBefore(since.plus(MAX_WAIT)), mayBeLeft);
    }

    private String kind(FSAppAttempt application) {
        return insight.next()
                .apply(application.getApplicationAttemptId())
                .map(task -> task.keys().get(0).text())
                .orElse("");
    }

    private boolean assign(FSAppAttempt application, FSSchedulerNode node) {
        if (application.assignContainer(node).equals(Resources.none())) {
            return false;
        }
        passedOver.remove(application.getApplicationAttemptId());
        left.remove(node.getNodeID());
        needy.moved(application.getApplicationAttemptId());
        return true;
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        super.completedContainerInternal(container, status, event);
        needy.moved(container.getApplicationAttemptId());
    }
}
