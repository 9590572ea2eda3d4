package org.interference.yarn.place.yarn;

import java.util.Iterator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;

/**
 * YARN's own allocator of one kind of request, with the candidate nodes in the order of predicted interference.
 *
 * <p>Without a running plugin, and after any failure of it, this is exactly its parent. YARN calls it on scheduling
 * threads under its locks, so nothing here blocks or calls back into YARN's write paths.
 */
public final class InterferenceAppPlacementAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {

    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        Iterator<N> parents = super.getPreferredNodeIterator(candidates);
        return rmContext.getScheduler() instanceof PlacementHost host
                ? host.placement()
                        .map(placement -> placement.order(
                                this,
                                appSchedulingInfo.getApplicationAttemptId(),
                                schedulerRequestKey,
                                candidates,
                                parents))
                        .orElse(parents)
                : parents;
    }
}
