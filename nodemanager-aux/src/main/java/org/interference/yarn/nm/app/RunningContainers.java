package org.interference.yarn.nm.app;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.nm.collect.WatchedContainer;

/** A NodeManager's running containers whose process is known. */
final class RunningContainers implements Supplier<Collection<WatchedContainer>> {
    private final Context context;

    RunningContainers(Context context) {
        this.context = context;
    }

    @Override
    public Collection<WatchedContainer> get() {
        List<WatchedContainer> running = new ArrayList<>();
        for (Map.Entry<ContainerId, Container> container :
                context.getContainers().entrySet()) {
            if (container.getValue().getContainerState() == ContainerState.RUNNING) {
                rootPid(container.getKey())
                        .ifPresent(pid -> running.add(
                                new WatchedContainer(container.getKey().toString(), pid)));
            }
        }
        return running;
    }

    /** Asked at every tick, because a container that is launched again has another process. */
    private OptionalLong rootPid(ContainerId container) {
        String pid = context.getContainerExecutor().getProcessId(container);
        return pid != null && pid.matches("[1-9][0-9]{0,17}")
                ? OptionalLong.of(Long.parseLong(pid))
                : OptionalLong.empty();
    }
}
