package org.interference.yarn.app;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.interference.yarn.ingest.Whereabouts;

/**
 * The containers that the scheduler knows, by their ids as YARN writes them. YARN reads an id with more zeros or a plus sign in it as well:
 * what is kept by its text would be kept once for each spelling, so that only YARN's own is anybody's. As thread-safe as what it asks.
 */
final class KnownContainers implements Whereabouts {
    private final Function<ContainerId, RMContainer> scheduler;
    private final Function<ApplicationId, OptionalLong> started;
    private final Function<String, OptionalInt> allocated;
    private final LongSupplier wallClock;

    /**
     * @param scheduler returns null for a container that it does not know
     * @param started when an application was submitted, in ms since 1970
     * @param allocated how many containers a node has
     * @param wallClock by which YARN says when a container was allocated, in ms since 1970
     */
    KnownContainers(
            Function<ContainerId, RMContainer> scheduler,
            Function<ApplicationId, OptionalLong> started,
            Function<String, OptionalInt> allocated,
            LongSupplier wallClock) {
        this.scheduler = scheduler;
        this.started = started;
        this.allocated = allocated;
        this.wallClock = wallClock;
    }

    /** Asks the scheduler of {@code rmContext}, which need not be set yet. */
    static KnownContainers of(RMContext rmContext, ClusterNodes nodes, LongSupplier wallClock) {
        return new KnownContainers(
                id -> rmContext.getScheduler().getRMContainer(id),
                id -> {
                    RMApp application = rmContext.getRMApps().get(id);
                    return application == null ? OptionalLong.empty() : OptionalLong.of(application.getStartTime());
                },
                nodes::allocated,
                wallClock);
    }

    /** Returns the container of that name; empty for another spelling of it. */
    Optional<RMContainer> find(String container) {
        return read(container).filter(known -> isItsName(container, known));
    }

    /** What another spelling means is nowhere: it is left out of its node's report. */
    @Override
    public Answer of(String container, String node) {
        return read(container)
                .map(known -> isItsName(container, known)
                                && known.getAllocatedNode().toString().equals(node)
                        ? Answer.HERE
                        : Answer.ELSEWHERE)
                .orElse(Answer.UNKNOWN);
    }

    /** When a recovered container was allocated its node says, so that it is no older than its application. */
    @Override
    public OptionalLong longestRunMillis(String container) {
        Optional<RMContainer> known = find(container);
        OptionalLong application = known.isPresent()
                ? started.apply(
                        known.get().getContainerId().getApplicationAttemptId().getApplicationId())
                : OptionalLong.empty();
        return application.isPresent()
                ? OptionalLong.of(Math.max(
                        0,
                        wallClock.getAsLong()
                                - Math.max(application.getAsLong(), known.get().getCreationTime())))
                : OptionalLong.empty();
    }

    @Override
    public OptionalInt allocated(String node) {
        return allocated.apply(node);
    }

    private static boolean isItsName(String container, RMContainer known) {
        return known.getContainerId().toString().equals(container);
    }

    /** Nobody checked the id on the way here. */
    private Optional<RMContainer> read(String container) {
        ContainerId id;
        try {
            id = ContainerId.fromString(container);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.ofNullable(scheduler.apply(id));
    }
}
