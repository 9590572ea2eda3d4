package org.interference.yarn.nm.app;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.Listing;
import org.interference.yarn.signal.LaunchSignature;

/** The containers that a NodeManager's context lists and that are not over. Used by one thread. */
final class ContextContainers implements Listing {
    /** A container that is being killed is over: its last sample is taken while it still runs. */
    private static final Set<ContainerState> OVER = EnumSet.of(
            ContainerState.LOCALIZATION_FAILED,
            ContainerState.EXITED_WITH_SUCCESS,
            ContainerState.EXITED_WITH_FAILURE,
            ContainerState.KILLING,
            ContainerState.CONTAINER_CLEANEDUP_AFTER_KILL,
            ContainerState.CONTAINER_RESOURCES_CLEANINGUP,
            ContainerState.DONE);

    private static final Set<ContainerState> BEFORE_THE_LAUNCH =
            EnumSet.of(ContainerState.NEW, ContainerState.LOCALIZING, ContainerState.SCHEDULED);

    private final Context context;
    private Map<ContainerId, Launched> launched = Map.of();

    ContextContainers(Context context) {
        this.context = context;
    }

    /** Whether a container that goes from one state to another gets a process or is over. */
    static boolean beginsOrEnds(ContainerState before, ContainerState after) {
        return before != after && (after == ContainerState.RUNNING || (OVER.contains(after) && !OVER.contains(before)));
    }

    @Override
    public Collection<ListedContainer> get() {
        return list(false);
    }

    @Override
    public Collection<ListedContainer> betweenTicks() {
        return list(true);
    }

    private Collection<ListedContainer> list(boolean betweenTicks) {
        List<ListedContainer> listed = new ArrayList<>();
        Map<ContainerId, Launched> next = new HashMap<>();
        for (Map.Entry<ContainerId, Container> entry : context.getContainers().entrySet()) {
            Container container = entry.getValue();
            ContainerState state = container.getContainerState();
            if (OVER.contains(state)) {
                continue;
            }
            ContainerId id = entry.getKey();
            boolean waiting = BEFORE_THE_LAUNCH.contains(state);
            OptionalLong pid = waiting ? OptionalLong.empty() : rootPid(id, betweenTicks);
            if (pid.isPresent()) {
                next.put(id, launched(id, container, pid.getAsLong()));
            }
            listed.add(new ListedContainer(
                    id.toString(),
                    pid,
                    Optional.ofNullable(next.get(id)).flatMap(Launched::signature),
                    Optional.ofNullable(container.getUser()),
                    waiting));
        }
        launched = next;
        return listed;
    }

    /** Reads a file. Asked at every tick, because a container that is launched again has another process. */
    private OptionalLong rootPid(ContainerId container, boolean betweenTicks) {
        Launched known = betweenTicks ? launched.get(container) : null;
        return known == null
                ? ProcessId.parse(context.getContainerExecutor().getProcessId(container))
                : OptionalLong.of(known.pid());
    }

    /** The commands are read once for each process: they are long, and hold for its life. */
    private Launched launched(ContainerId id, Container container, long pid) {
        Launched known = launched.get(id);
        return known != null && known.pid() == pid ? known : new Launched(pid, signature(container));
    }

    private static Optional<LaunchSignature> signature(Container container) {
        ContainerLaunchContext launch = container.getLaunchContext();
        return launch == null || launch.getCommands() == null
                ? Optional.empty()
                : LaunchSignatures.of(launch.getCommands());
    }

    private record Launched(long pid, Optional<LaunchSignature> signature) {}
}
