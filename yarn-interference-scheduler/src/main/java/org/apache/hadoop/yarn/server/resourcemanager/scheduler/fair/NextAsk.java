package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of its asks an application would be served if it was offered a node now: what {@link FSAppAttempt#assignContainer} finds, without
 * the marks that it leaves, such as another opportunity that was missed. Under the scheduler's lock.
 *
 * @param key what is served; empty if nothing is known to be
 */
record NextAsk(NextAsk.Outcome outcome, Optional<SchedulerRequestKey> key) {
    private static final Logger LOG = LoggerFactory.getLogger(NextAsk.class);

    /** What becomes of an offer. */
    enum Outcome {
        /** A container for the key. */
        SERVED,
        /** Nothing, and nothing is noted: it is the next one's turn. */
        PASSED,
        /** Only offering it tells: it may wait for a nearer node, or reserve this one. */
        UNKNOWN
    }

    private static final NextAsk PASSED = new NextAsk(Outcome.PASSED, Optional.empty());
    private static final NextAsk UNKNOWN = new NextAsk(Outcome.UNKNOWN, Optional.empty());

    /**
     * Returns what {@code application} would be served on {@code node}, whose queue may have a container there.
     *
     * @param maxShare of that queue
     */
    static NextAsk of(FairScheduler scheduler, FSAppAttempt application, FSSchedulerNode node, MaxShare maxShare) {
        if (SchedulerAppUtils.isPlaceBlacklisted(application, node, LOG)) {
            return PASSED;
        }
        for (SchedulerRequestKey key : application.getSchedulerKeys()) {
            PendingAsk anywhere = application.getPendingAsk(key, ResourceRequest.ANY);
            if (mayBeOn(node, application, key, anywhere, maxShare)) {
                PendingAsk ask = served(scheduler, application, node, key, anywhere);
                return ask != null && Resources.fitsIn(ask.getPerAllocationResource(), node.getUnallocatedResource())
                        ? new NextAsk(Outcome.SERVED, Optional.of(key))
                        : UNKNOWN;
            }
        }
        return PASSED;
    }

    /** Returns whether a container for {@code key} may be on {@code node} at all, were it empty. */
    private static boolean mayBeOn(
            FSSchedulerNode node,
            FSAppAttempt application,
            SchedulerRequestKey key,
            PendingAsk anywhere,
            MaxShare maxShare) {
        if (anywhere.getCount() <= 0) {
            return false;
        }
        AppSchedulingInfo asks = application.getAppSchedulingInfo();
        boolean onRack = application.getOutstandingAsksCount(key, node.getRackName()) > 0;
        if (!onRack && !asks.canDelayTo(key, ResourceRequest.ANY)) {
            return false;
        }
        if (onRack
                && !asks.canDelayTo(key, node.getRackName())
                && application.getOutstandingAsksCount(key, node.getNodeName()) <= 0) {
            return false;
        }
        Resource size = anywhere.getPerAllocationResource();
        return Resources.fitsIn(size, node.getRMNode().getTotalCapability()) && maxShare.fits(size);
    }

    /** Returns the ask that is served under {@code key}; null if that depends on how long it has waited for a nearer node. */
    private static PendingAsk served(
            FairScheduler scheduler,
            FSAppAttempt application,
            FSSchedulerNode node,
            SchedulerRequestKey key,
            PendingAsk anywhere) {
        AppSchedulingInfo asks = application.getAppSchedulingInfo();
        PendingAsk onRack = application.getPendingAsk(key, node.getRackName());
        PendingAsk onNode = application.getPendingAsk(key, node.getNodeName());
        if (onRack.getCount() > 0 && onNode.getCount() > 0) {
            return onNode;
        }
        boolean waits = waitsForNearerNodes(scheduler);
        if (!asks.canDelayTo(key, node.getRackName())) {
            return null;
        }
        if (onRack.getCount() > 0) {
            return waits ? null : onRack;
        }
        boolean nowhereNearer = application.getAppPlacementAllocator(key).getUniqueLocationAsks() <= 1;
        return asks.canDelayTo(key, ResourceRequest.ANY) && (nowhereNearer || !waits) ? anywhere : null;
    }

    @SuppressWarnings("deprecation") // Continuous scheduling is; while it is there, it waits by time.
    private static boolean waitsForNearerNodes(FairScheduler scheduler) {
        return scheduler.isContinuousSchedulingEnabled()
                ? scheduler.getNodeLocalityDelayMs() >= 0 && scheduler.getRackLocalityDelayMs() >= 0
                : scheduler.getNodeLocalityThreshold() >= 0 && scheduler.getRackLocalityThreshold() >= 0;
    }
}
