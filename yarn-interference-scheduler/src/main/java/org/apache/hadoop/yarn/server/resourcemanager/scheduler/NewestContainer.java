package org.apache.hadoop.yarn.server.resourcemanager.scheduler;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/**
 * The container that an application has just been given. In YARN's package, because YARN keeps the list there; looking for it on its
 * node, or among all of the application's, takes longer than a decision.
 */
public final class NewestContainer {
    private NewestContainer() {}

    /**
     * Returns the newest container that {@code application} has not heard of yet; empty if it has heard of all. To be called under the
     * application's lock.
     */
    public static Optional<RMContainer> of(SchedulerApplicationAttempt application) {
        List<RMContainer> unheard = application.newlyAllocatedContainers;
        return unheard.isEmpty() ? Optional.empty() : Optional.of(unheard.get(unheard.size() - 1));
    }
}
