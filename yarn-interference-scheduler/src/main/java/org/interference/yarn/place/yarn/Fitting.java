package org.interference.yarn.place.yarn;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Whether a container fits, by the scheduler's own calculator: YARN's default one lets containers have more cores than there are. Thread-safe. */
final class Fitting {
    private final RMContext rmContext;

    Fitting(RMContext rmContext) {
        this.rmContext = rmContext;
    }

    boolean fits(Resource ask, SchedulerNode node) {
        return fits(ask, node.getUnallocatedResource());
    }

    boolean fits(Resource ask, Resource free) {
        return Resources.fitsIn(rmContext.getScheduler().getResourceCalculator(), ask, free);
    }
}
