package org.interference.yarn.place.yarn;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * The scheduler, as the placement allocators see it.
 *
 * <p>YARN makes an allocator by reflection and hands it the RMContext, so the scheduler found there is how an allocator
 * reaches the plugin of its own ResourceManager; there may be several in one JVM.
 */
public interface PlacementHost {
    /** Returns the plugin's placement; empty while it is not running. */
    Optional<YarnPlacement> placement();

    /**
     * Called when YARN has allocated a container on {@code node} through {@code asks}, under the application's lock. A scheduler that
     * proposes containers and commits them later need not listen. Must not throw.
     */
    default void allocated(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node) {}

    /**
     * Returns whether who asks gets no container of this size on {@code node} because that is larger than it is configured: he may have only what is configured, or
     * memory might not suffice. Must not throw or block.
     */
    default boolean keepsOffGrown(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        return false;
    }

    /** Returns whether who asks may have only what is configured of {@code node}, and a container of this size would be beyond that. Notes nothing; must not throw or block. */
    default boolean keepsToConfigured(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        return false;
    }

    /** Returns whether an application is to get nothing on {@code node} for a while. Must not throw or block. */
    default boolean keepsFrom(ApplicationAttemptId application, SchedulerNode node) {
        return false;
    }

    /** Returns the node that a scheduler that asks no allocator about nodes offers on this thread; empty elsewhere, and where everybody may have it. Must not throw. */
    default Optional<SchedulerNode> restrictedOffer() {
        return Optional.empty();
    }
}
