package org.interference.yarn.it;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;

/** An upgrade that is half done: the NodeManager plugin on every second node that starts. */
public final class EverySecondNodeAgent implements ContainerStateTransitionListener {
    /** Static because YARN makes the agents by reflection. */
    private static final AtomicInteger NODES = new AtomicInteger();

    @Override
    public void init(Context context) {
        if (NODES.getAndIncrement() % 2 == 0) {
            new InjectedCountersAgent().init(context);
        }
    }

    @Override
    public void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {}

    @Override
    public void postTransition(
            ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {}
}
