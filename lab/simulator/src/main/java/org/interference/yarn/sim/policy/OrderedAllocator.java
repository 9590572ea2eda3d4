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
 * YARN's own allocator with the fitting nodes in the order of {@link OrderedCapacityScheduler#gains}, the highest first. Equal ones keep the
 * parent's order, where nothing is known a node is taken to be idle, and what does not fit comes last.
 */
public final class OrderedAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {
    private static final double RESOLUTION = 1e-6;

    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        Gains gains = ((OrderedCapacityScheduler) rmContext.getScheduler()).gains();
        List<N> order = new ArrayList<>();
        super.getPreferredNodeIterator(candidates).forEachRemaining(order::add);
        IdentityHashMap<N, Double> gain = new IdentityHashMap<>();
        for (N node : order) {
            boolean fits = Resources.fitsIn(
                    rmContext.getScheduler().getMinimumResourceCapability(), node.getUnallocatedResource());
            double known = fits
                    ? gains.gain(node, appSchedulingInfo.getApplicationAttemptId())
                            .orElse(1)
                    : Double.NEGATIVE_INFINITY;
            gain.put(node, Math.rint(known / RESOLUTION));
        }
        order.sort(Comparator.<N>comparingDouble(gain::get).reversed());
        return order.iterator();
    }
}
