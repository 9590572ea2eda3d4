package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * A queue or an application as its policy would see it if it had got some more containers, for comparisons alone. Who comes before this is
 * at most so many containers ahead.
 */
final class FurtherAhead implements Schedulable {
    /** Who is as needy as this comes before it: usage in relation to weight is what a policy compares last but for names. */
    private static final float A_LITTLE_LESS = 1 - 1e-5f;

    private final Schedulable schedulable;
    private final int containers;
    private final Resource container;

    /** Null until somebody asks: resources are slow to make. */
    private Resource usage;

    /**
     * @param containers how many more
     * @param container the size of each
     */
    FurtherAhead(Schedulable schedulable, int containers, Resource container) {
        this.schedulable = schedulable;
        this.containers = containers;
        this.container = container;
    }

    /** Returns {@code schedulable} with what it holds now, whatever it gets later. */
    static FurtherAhead byNothing(Schedulable schedulable) {
        FurtherAhead now = new FurtherAhead(schedulable, 0, Resources.none());
        now.usage = Resources.clone(schedulable.getResourceUsage());
        return now;
    }

    @Override
    public String getName() {
        return schedulable.getName();
    }

    @Override
    public Resource getDemand() {
        return schedulable.getDemand();
    }

    @Override
    public Resource getResourceUsage() {
        if (usage == null) {
            usage = Resources.multiplyAndAddTo(Resources.clone(schedulable.getResourceUsage()), container, containers);
        }
        return usage;
    }

    @Override
    public Resource getMinShare() {
        return schedulable.getMinShare();
    }

    @Override
    public Resource getMaxShare() {
        return schedulable.getMaxShare();
    }

    @Override
    public float getWeight() {
        return schedulable.getWeight() * A_LITTLE_LESS;
    }

    @Override
    public long getStartTime() {
        return schedulable.getStartTime();
    }

    @Override
    public Priority getPriority() {
        return schedulable.getPriority();
    }

    @Override
    public void updateDemand() {
        throw new UnsupportedOperationException("only to be compared");
    }

    @Override
    public Resource assignContainer(FSSchedulerNode node) {
        throw new UnsupportedOperationException("only to be compared");
    }

    @Override
    public Resource getFairShare() {
        return schedulable.getFairShare();
    }

    @Override
    public void setFairShare(Resource fairShare) {
        throw new UnsupportedOperationException("only to be compared");
    }

    @Override
    public boolean isPreemptable() {
        return schedulable.isPreemptable();
    }
}
