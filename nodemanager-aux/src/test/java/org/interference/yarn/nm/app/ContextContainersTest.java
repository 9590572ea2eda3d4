package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunningContainersTest {
    private static final ContainerId ID = ContainerId.fromString("container_1_0001_01_000001");

    private final NodeManager.NMContext context =
            new NodeManager.NMContext(null, null, null, null, null, false, new Configuration(false));
    private final ContainerExecutor executor = mock(ContainerExecutor.class);
    private final Container container = mock(Container.class);

    @BeforeEach
    void oneContainer() {
        context.setContainerExecutor(executor);
        context.getContainers().put(ID, container);
        when(executor.getProcessId(ID)).thenReturn("4711");
        when(container.getContainerState()).thenReturn(ContainerState.RUNNING);
    }

    @Test
    void runningContainerIsWatchedByItsProcess() {
        assertThat(new RunningContainers(context).get()).containsExactly(new WatchedContainer(ID.toString(), 4711));
    }

    @Test
    void containerThatIsLocalizingOrKilledIsNotWatched() {
        when(container.getContainerState()).thenReturn(ContainerState.LOCALIZING, ContainerState.KILLING);

        assertThat(new RunningContainers(context).get()).isEmpty();
        assertThat(new RunningContainers(context).get()).isEmpty();
    }

    @Test
    void containerWhoseProcessIsNotKnownYetIsNotWatched() {
        when(executor.getProcessId(ID)).thenReturn(null, "", "-1", "x");

        for (int answer = 0; answer < 4; answer++) {
            assertThat(new RunningContainers(context).get()).isEmpty();
        }
    }
}
