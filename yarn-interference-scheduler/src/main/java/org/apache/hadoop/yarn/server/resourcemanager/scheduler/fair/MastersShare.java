package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;

/**
 * Which applications a queue's {@code maxAMShare} holds back, at one moment: the parent passes them over. Remembers the size that was too
 * much last, because many such applications wait at once, and mostly for masters of one size.
 */
final class MastersShare {
    private final FSLeafQueue queue;
    private Resource tooMuch;

    MastersShare(FSLeafQueue queue) {
        this.queue = queue;
    }

    boolean holdsBack(FSAppAttempt application) {
        if (application.isAmRunning() || application.getUnmanagedAM()) {
            return false;
        }
        PendingAsk ask = application.getAppSchedulingInfo().getNextPendingAsk();
        if (ask == null) {
            return false;
        }
        Resource master = ask.getPerAllocationResource();
        if (ask.getCount() == 0 || master.equals(tooMuch)) {
            return true;
        }
        if (queue.canRunAppAM(master)) {
            return false;
        }
        tooMuch = master;
        return true;
    }
}
