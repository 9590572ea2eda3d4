package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Whether a queue, and each above it, may have another container within its maximum share. YARN makes several resources for each answer, and
 * the applications of a queue mostly ask for one size: what was asked last is remembered. For one decision, under the scheduler's lock.
 */
final class MaxShare {
    private final FSLeafQueue queue;
    private Resource size;
    private boolean fits;

    MaxShare(FSLeafQueue queue) {
        this.queue = queue;
    }

    boolean fits(Resource container) {
        if (!container.equals(size)) {
            fits = queue.fitsInMaxShare(container);
            size = container;
        }
        return fits;
    }
}
