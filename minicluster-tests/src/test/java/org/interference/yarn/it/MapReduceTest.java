package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE_WITH_PROCESSES;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An unmodified MapReduce job on nodes that measure it without a collector, and the profiles that it leaves. */
@Timeout(900)
class MapReduceTest {
    private static final Set<YarnApplicationState> ENDED =
            Set.of(YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

    @TempDir
    private Path directory;

    @Test
    void aWordCountSucceedsTwiceAndTheSecondFindsTheProfilesOfTheFirst() throws Exception {
        Path store = directory.resolve("store");
        try (MiniCluster cluster =
                MiniCluster.start(MapReduceTest.class.getSimpleName(), 2, conf -> settings(conf, store))) {

            assertThat(statusOf(wordCount(cluster.conf(), "first"), cluster))
                    .isEqualTo(FinalApplicationStatus.SUCCEEDED);

            await("profiles of map and reduce").atMost(PATIENCE_WITH_PROCESSES).until(() -> roles(cluster)
                    .containsAll(Set.of("map", "reduce")));
            assertThat(profile(cluster, "map").load().level(Signal.CPU).orElse(0))
                    .isPositive();

            await("what the master was given and used")
                    .atMost(PATIENCE_WITH_PROCESSES)
                    .until(() -> byName(cluster)
                            .anyMatch(profile -> role(profile).equals("am")
                                    && profile.footprint().tasks() > 0));
            Footprint master = profile(cluster, "am").footprint();
            assertThat(master.requestedBytes()).isGreaterThanOrEqualTo(256 << 20);
            assertThat(master.peakBytes()).isBetween(32.0 * (1 << 20), master.machineBytes());
            assertThat(master.totals().usedCores()).isPositive();

            assertThat(statusOf(wordCount(cluster.conf(), "second"), cluster))
                    .isEqualTo(FinalApplicationStatus.SUCCEEDED);

            assertThat(cluster.sources().placement().decisions().newest(100).stream()
                            .filter(decision -> decision.ranking().profile().isPresent())
                            .map(decision -> decision.ranking().request().task().role()))
                    .contains("map", "reduce");
        }
        assertThat(ProfileStore.read(new LocalDirectory(store)))
                .as("profiles on disk after the ResourceManager stopped")
                .hasSizeGreaterThanOrEqualTo(2);
    }

    private void settings(Configuration conf, Path store) {
        DispatchProgram.settings(conf, directory);
        conf.set("yarn.interference.profile.store-dir", store.toString());
        conf.set("yarn.interference.nm.collect.interval-ms", "200");
    }

    private ApplicationId wordCount(Configuration conf, String run) throws Exception {
        Path input = Files.createDirectories(directory.resolve(run));
        Files.writeString(input.resolve("text"), "who slows whom down\n".repeat(200_000));
        Job job = Job.getInstance(conf, "word count");
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(
                job,
                new org.apache.hadoop.fs.Path(directory.resolve(run + "-out").toUri()));
        job.submit();
        return TypeConverter.toYarn(job.getJobID()).getAppId();
    }

    private static FinalApplicationStatus statusOf(ApplicationId id, MiniCluster cluster) throws Exception {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.conf());
            client.start();
            ApplicationReport report = await("end of " + id)
                    .atMost(PATIENCE_WITH_PROCESSES)
                    .until(
                            () -> client.getApplicationReport(id),
                            current -> ENDED.contains(current.getYarnApplicationState()));
            return report.getFinalApplicationStatus();
        }
    }

    private static Set<String> roles(MiniCluster cluster) {
        return byName(cluster).map(MapReduceTest::role).collect(Collectors.toSet());
    }

    private static TaskProfile profile(MiniCluster cluster, String role) {
        Optional<TaskProfile> profile = byName(cluster)
                .filter(candidate -> role(candidate).equals(role))
                .findFirst();
        return profile.orElseThrow();
    }

    private static Stream<TaskProfile> byName(MiniCluster cluster) {
        return cluster.sources().learnt().profiles().all().stream()
                .filter(profile -> profile.key().level() == TaskKey.Level.NAME);
    }

    /** The third part of {@code type/name/role/queue}. */
    private static String role(TaskProfile profile) {
        return profile.key().text().split("/", -1)[2];
    }
}
