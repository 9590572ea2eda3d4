package org.interference.yarn.app;

import java.io.IOException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.interference.yarn.rest.Sources;

/** What YARN's scheduler can be asked for. Thread-safe. */
final class ClusterScheduling implements Sources.Scheduling {
    private final RMContext rmContext;

    ClusterScheduling(RMContext rmContext) {
        this.rmContext = rmContext;
    }

    @Override
    public Sources.ContainerSizes sizes() {
        return new Sources.ContainerSizes(
                rmContext.getScheduler().getMinimumResourceCapability().getMemorySize(),
                rmContext.getScheduler().getMaximumResourceCapability().getMemorySize());
    }

    @Override
    public boolean hasQueue(String queue) {
        try {
            return rmContext.getScheduler().getQueueInfo(queue, false, false) != null;
        } catch (IOException e) {
            // How YARN says that there is none.
            return false;
        }
    }
}
