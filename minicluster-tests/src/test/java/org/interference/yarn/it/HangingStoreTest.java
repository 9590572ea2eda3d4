package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system that does not answer keeps no ResourceManager from becoming active, nor from ending. */
@Timeout(300) // Whoever waits for the store waits for ever.
class HangingStoreTest {
    private static volatile CountDownLatch answers = new CountDownLatch(0);

    @TempDir
    private java.nio.file.Path directory;

    private final YarnConfiguration conf = new YarnConfiguration();

    /** Local files, once it answers. */
    public static final class Hanging extends RawLocalFileSystem {
        @Override
        public URI getUri() {
            return URI.create("hanging:///");
        }

        @Override
        public boolean mkdirs(Path path) throws IOException {
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException("mkdirs");
            }
            return super.mkdirs(path);
        }
    }

    @BeforeEach
    void storeThatHangs() {
        answers = new CountDownLatch(1);
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.set("fs.hanging.impl", Hanging.class.getName());
        conf.set("yarn.interference.profile.store-dir", "hanging://" + directory.resolve("profiles"));
    }

    @Test
    void isOpenedInTheBackgroundAndGetsWhatWasLearntMeanwhile() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            assertThat(rm.getRMContext().getHAServiceState()).isEqualTo(HAServiceProtocol.HAServiceState.ACTIVE);
            sources(rm).learnt().profiles().merge(List.of(profile()));

            answers.countDown();

            await("what was learnt is written")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> ProfileStore.read(new LocalDirectory(directory.resolve("profiles")))
                            .contains(profile()));
        }
    }

    @Test
    void doesNotKeepTheResourceManagerFromEnding() throws Exception {
        MockRM rm = new MockRM(conf);
        rm.start();

        rm.close();

        assertThat(answers.getCount()).as("it still hangs").isEqualTo(1);
        answers.countDown();
    }

    private static TaskProfile profile() {
        return new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, "sort"),
                1,
                Map.of(Signal.CPU, Averages.constant(1, 0.5)),
                Averages.constant(1, 60),
                Instant.EPOCH);
    }

    private static Sources sources(MockRM rm) {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }
}
