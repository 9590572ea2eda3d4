package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.nm.collect.ListedContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContextContainersTest {
    private static final ContainerId ID = ContainerId.fromString("container_1_0001_01_000001");

    private final NodeManager.NMContext context =
            new NodeManager.NMContext(null, null, null, null, null, false, new Configuration(false));
    private final ContainerExecutor executor = mock(ContainerExecutor.class);
    private final Container container = mock(Container.class);
    private final ContextContainers containers = new ContextContainers(context);

    @BeforeEach
    void oneContainer() {
        context.setContainerExecutor(executor);
        context.getContainers().put(ID, container);
        when(executor.getProcessId(ID)).thenReturn("4711");
        when(container.getContainerState()).thenReturn(ContainerState.RUNNING);
    }

    @Test
    void runningContainerIsListedWithItsProcessAndItsLaunch() {
        launchedBy("java org.example.Main");

        assertThat(containers.get())
                .containsExactly(new ListedContainer(
                        ID.toString(), OptionalLong.of(4711), LaunchSignatures.of(List.of("java org.example.Main"))));
    }

    @Test
    void itsUserIsYarns() {
        when(container.getUser()).thenReturn("alice");

        assertThat(containers.get()).singleElement().satisfies(listed -> assertThat(listed.user())
                .hasValue("alice"));
    }

    @ParameterizedTest
    @EnumSource(
            value = ContainerState.class,
            names = {
                "LOCALIZATION_FAILED",
                "EXITED_WITH_SUCCESS",
                "EXITED_WITH_FAILURE",
                "KILLING",
                "CONTAINER_CLEANEDUP_AFTER_KILL",
                "CONTAINER_RESOURCES_CLEANINGUP",
                "DONE"
            })
    void containerThatIsOverIsNotListed(ContainerState state) {
        when(container.getContainerState()).thenReturn(state);

        assertThat(containers.get()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ContainerState.class,
            names = {"NEW", "LOCALIZING", "SCHEDULED"})
    void containerBeforeItsLaunchIsListedWithoutAProcess(ContainerState state) {
        when(container.getContainerState()).thenReturn(state);

        assertThat(containers.get())
                .containsExactly(new ListedContainer(ID.toString(), OptionalLong.empty(), none(), none(), true));
    }

    @Test
    void processThatIsKnownIsAskedForAtATickAlone() {
        when(executor.getProcessId(ID)).thenReturn(null, "4711", "4712");

        assertThat(containers.get()).extracting(ListedContainer::rootPid).containsExactly(OptionalLong.empty());
        for (int look = 0; look < 3; look++) {
            assertThat(containers.betweenTicks())
                    .extracting(ListedContainer::rootPid)
                    .containsExactly(OptionalLong.of(4711));
        }
        assertThat(containers.get()).extracting(ListedContainer::rootPid).containsExactly(OptionalLong.of(4712));
    }

    @ParameterizedTest
    @EnumSource(
            value = ContainerState.class,
            names = {"REINITIALIZING", "REINITIALIZING_AWAITING_KILL", "PAUSING", "PAUSED", "RESUMING", "RELAUNCHING"})
    void containerBetweenTwoLaunchesIsNotOver(ContainerState state) {
        when(container.getContainerState()).thenReturn(state);

        assertThat(containers.get()).containsExactly(new ListedContainer(ID.toString(), OptionalLong.of(4711), none()));
    }

    @Test
    void containerWhoseProcessIsNotKnownYetIsListedWithoutIt() {
        when(executor.getProcessId(ID)).thenReturn(null, "", "-1", "x");

        for (int answer = 0; answer < 4; answer++) {
            assertThat(containers.get())
                    .containsExactly(new ListedContainer(ID.toString(), OptionalLong.empty(), none()));
        }
    }

    @Test
    void commandsAreReadOncePerProcess() {
        launchedBy("java org.example.Main");

        containers.get();
        containers.get();
        when(executor.getProcessId(ID)).thenReturn("4712");
        launchedBy("java org.example.Other");

        assertThat(containers.get())
                .containsExactly(new ListedContainer(
                        ID.toString(), OptionalLong.of(4712), LaunchSignatures.of(List.of("java org.example.Other"))));
        verify(container, times(2)).getLaunchContext();
    }

    @Test
    void onlyALaunchAndTheFirstStateAfterTheLastAreWorthALook() {
        assertThat(ContextContainers.beginsOrEnds(ContainerState.SCHEDULED, ContainerState.RUNNING))
                .isTrue();
        assertThat(ContextContainers.beginsOrEnds(ContainerState.RUNNING, ContainerState.EXITED_WITH_SUCCESS))
                .isTrue();
        assertThat(ContextContainers.beginsOrEnds(ContainerState.RUNNING, ContainerState.KILLING))
                .isTrue();
        assertThat(ContextContainers.beginsOrEnds(ContainerState.RUNNING, ContainerState.RUNNING))
                .isFalse();
        assertThat(ContextContainers.beginsOrEnds(ContainerState.EXITED_WITH_SUCCESS, ContainerState.DONE))
                .isFalse();
        assertThat(ContextContainers.beginsOrEnds(ContainerState.NEW, ContainerState.LOCALIZING))
                .isFalse();
    }

    private void launchedBy(String command) {
        ContainerLaunchContext launch =
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(command), null, null, null);
        when(container.getLaunchContext()).thenReturn(launch);
    }

    private static <T> Optional<T> none() {
        return Optional.empty();
    }
}
