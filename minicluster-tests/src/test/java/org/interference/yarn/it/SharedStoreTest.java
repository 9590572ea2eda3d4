package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.HadoopDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The profile store on HDFS, and two ResourceManagers of which each may believe to be the active one. */
class SharedStoreTest {
    private static final long LONG_LOG = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void theNextActiveOneFindsWhatTheLastOneSavedThoughThatNeverClosedItsLog() throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
        try (MiniDFSCluster hdfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            hdfs.waitActive();
            ProfileStore first = open(hdfs).store();
            first.append(changes("sort", 0.25));
            first.append(changes("grep", 0.5));

            ProfileStore.Opened second = open(hdfs);

            assertThat(second.profiles())
                    .extracting(profile -> profile.key().text())
                    .containsExactlyInAnyOrder("sort", "grep");
            assertThat(second.problems()).isEmpty();
            assertThatThrownBy(() -> first.append(changes("late", 0.9))).isInstanceOf(ProfileStore.Fenced.class);
            second.store().append(changes("join", 0.75));
            second.store().beginSnapshot().write(second.profiles());
            second.store().append(changes("join", 0.8));

            ProfileStore.Opened third = open(hdfs);

            assertThat(third.profiles())
                    .extracting(profile -> profile.key().text())
                    .containsExactlyInAnyOrder("sort", "grep", "join");
            assertThat(third.problems()).isEmpty();
        }
    }

    private static ProfileStore.Opened open(MiniDFSCluster hdfs) throws IOException {
        return ProfileStore.open(
                HadoopDirectory.of(hdfs.getURI() + "/interference/profiles", hdfs.getConfiguration(0)),
                Instant.EPOCH,
                LONG_LOG);
    }

    private static List<Change> changes(String tag, double cpu) {
        TaskProfile profile = new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, tag),
                1,
                Map.of(Signal.CPU, Averages.constant(1, cpu)),
                Averages.constant(1, 60),
                Instant.EPOCH);
        return List.of(new Change(profile.key(), Optional.of(profile)));
    }
}
