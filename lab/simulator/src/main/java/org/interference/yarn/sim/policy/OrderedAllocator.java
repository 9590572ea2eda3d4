package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * YARN's own allocator with the fitting nodes in the order of {@link OrderedCapacityScheduler#costs}; equal and unknown costs keep the
 * parent's order, and what does not fit comes last.
 */
public final class OrderedAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
    private static final double RESOLUTION = 1e-6;

    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        Costs costs = ((OrderedCapacityScheduler) rmContext.getScheduler()).costs();
        List<N> order = new ArrayList<>();
        super.getPreferredNodeIterator(candidates).forEachRemaining(order::add);
        IdentityHashMap<N, Double> cost = new IdentityHashMap<>();
        for (N node : order) {
            boolean fits = Resources.fitsIn(
                    rmContext.getScheduler().getMinimumResourceCapability(), node.getUnallocatedResource());
            double known = fits
                    ? costs.cost(node, appSchedulingInfo.getApplicationAttemptId())
                            .orElse(0)
                    : Double.MAX_VALUE;
            cost.put(node, fits ? Math.rint(known / RESOLUTION) : known);
        }
        order.sort(Comparator.comparingDouble(cost::get));
        return order.iterator();
    }
}
