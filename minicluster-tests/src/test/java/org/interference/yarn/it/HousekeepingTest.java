package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.interference.yarn.app.InterferencePlugin;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.fault.Part;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileState;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HousekeepingTest {
    private static final Instant T0 = Instant.parse("2025-03-01T00:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void partThatFailsLeavesTheOthersTheirTurn() throws Exception {
        RMContext broken = resourceManager();
        when(broken.getRMNodes()).thenThrow(new IllegalStateException("no list of nodes"));
        ByHand background = new ByHand();
        InterferencePlugin plugin = InterferencePlugin.create(
                broken.getYarnConfiguration(),
                broken,
                new Surroundings(
                        () -> T0.plus(Duration.ofHours(1)),
                        MoreExecutors.newDirectExecutorService(),
                        background,
                        MoreExecutors.newDirectExecutorService(),
                        new Random(1),
                        () -> 0,
                        Optional.empty()));
        plugin.start();
        Sources sources = plugin.restSources();
        TaskProfile profile = new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, "sort"),
                1,
                Map.of(Signal.CPU, Averages.constant(1, 0.5)),
                Averages.constant(1, 60),
                T0);
        sources.learnt().profiles().merge(List.of(profile));

        background.turn();

        assertThat(sources.placement().gate().faults().counts().get(Part.INGEST))
                .isEqualTo(1);
        assertThat(sources.learnt().profiles().state(profile))
                .as("profiles are aged")
                .isEqualTo(ProfileState.STALE);
        assertThat(ProfileStore.read(new LocalDirectory(directory))).contains(profile);
        plugin.stop();
    }

    @Test
    void snapshotGoesToAThreadOfItsOwn() throws Exception {
        RMContext context = resourceManager();
        when(context.getRMNodes()).thenReturn(new ConcurrentHashMap<>());
        ByHand background = new ByHand();
        ExecutorService hangs = mock(ExecutorService.class);
        InterferencePlugin plugin = InterferencePlugin.create(
                context.getYarnConfiguration(),
                context,
                new Surroundings(
                        () -> T0,
                        MoreExecutors.newDirectExecutorService(),
                        background,
                        // Where a snapshot that hung would hang this test.
                        MoreExecutors.newDirectExecutorService(),
                        MoreExecutors.newDirectExecutorService(),
                        hangs,
                        new Random(1),
                        () -> 0,
                        T0::toEpochMilli,
                        Optional.empty(),
                        Optional.empty()));
        plugin.start();
        plugin.restSources().learnt().profiles().merge(manyProfiles());

        background.turn();

        verify(hangs).execute(any());
        assertThat(plugin.restSources().placement().gate().faults().counts().values())
                .allSatisfy(count -> assertThat(count).isZero());
        plugin.stop();
        verify(hangs).shutdownNow();
    }

    /** More than a log has before there is a snapshot. */
    private static List<TaskProfile> manyProfiles() {
        return IntStream.range(0, 9000)
                .mapToObj(i -> new TaskProfile(
                        new TaskKey(TaskKey.Level.TAG, "sort".repeat(250) + i),
                        1,
                        Map.of(Signal.CPU, Averages.constant(1, 0.5)),
                        Averages.constant(1, 60),
                        T0))
                .toList();
    }

    private RMContext resourceManager() {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set("yarn.interference.profile.store-dir", directory.toString());
        conf.set("yarn.interference.profile.stale-after-ms", "60000");
        RMContext context = mock(RMContext.class);
        when(context.getYarnConfiguration()).thenReturn(conf);
        when(context.getDispatcher()).thenReturn(mock(Dispatcher.class));
        when(context.getRMApps()).thenReturn(new ConcurrentHashMap<>());
        return context;
    }
}
