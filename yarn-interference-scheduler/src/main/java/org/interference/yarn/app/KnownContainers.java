package org.interference.yarn.app;

import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.interference.yarn.ingest.Whereabouts;

/**
 * The containers that the scheduler knows, by their ids as YARN writes them. YARN reads an id with more zeros or a plus sign in it as well:
 * what is kept by its text would be kept once for each spelling, so that only YARN's own is anybody's. As thread-safe as what it asks.
 */
final class KnownContainers implements Whereabouts {
    private final Function<ContainerId, RMContainer> scheduler;

    /** @param scheduler returns null for a container that it does not know */
    KnownContainers(Function<ContainerId, RMContainer> scheduler) {
        this.scheduler = scheduler;
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
