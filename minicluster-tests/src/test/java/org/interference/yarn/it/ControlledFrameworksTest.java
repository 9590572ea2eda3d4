package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;
import static org.interference.yarn.it.Patience.PATIENCE_WITH_PROCESSES;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unmodified jobs of MapReduce and Spark on a NodeManager with node control switched on, by either rule: their containers are in control groups while
 * they run, the jobs succeed, and nothing is left. That the first task waits for a disk, and the others compute, is invented.
 */
@Timeout(900)
class ControlledFrameworksTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void requireCpusets() {
        ControlGroups.assumePossible();
        MiniCluster.requireHttp();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "published"})
    void aMapReduceJobSucceedsUnderControl(String rule) throws Exception {
        succeedsUnderControl(
                rule,
                "sleeper\tmapreduce\torg.apache.hadoop.mapreduce.SleepJob\t-m 2 -r 1 -mt 25000 -rt 1000",
                List.of("am", "map", "map"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "published"})
    void aSparkApplicationSucceedsUnderControl(String rule) throws Exception {
        assumeThat(DispatchProgram.hasSpark())
                .as("Spark is not downloaded; mvn -Pspark -pl :spark-jobs -am -DskipTests package does it")
                .isTrue();
        succeedsUnderControl(
                rule,
                "sleeper\tspark\torg.interference.yarn.spark.MicroJobs\tsleep 2 25000",
                List.of("driver", "executor", "executor"));
    }

    private void succeedsUnderControl(String rule, String job, List<String> roles) throws Exception {
        try (MiniCluster cluster =
                        MiniCluster.start(ControlledFrameworksTest.class.getSimpleName() + "-" + rule, 1, conf -> {
                            DispatchProgram.settings(conf, directory);
                            conf.set("yarn.nodemanager.vmem-check-enabled", "false");
                            conf.set(
                                    YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS,
                                    InjectedWorkAgent.class.getName());
                            conf.set("yarn.interference.node-control.mode", "on");
                            conf.set("yarn.interference.node-control.rule", rule);
                            conf.set("yarn.interference.node-control.classifier", "blocked-io");
                        });
                DispatchProgram program = DispatchProgram.of(cluster, directory)) {
            Path jobs = Files.writeString(
                    directory.resolve("jobs.tsv"), "workload\tframework\tprogram\targuments\n" + job + "\n");

            Process running = program.start("--jobs", jobs.toString(), "--run-dir", program.folder("controlled"));

            await("all containers of the job")
                    .atMost(PATIENCE_WITH_PROCESSES)
                    .until(() -> containers(cluster).size() >= roles.size() || !running.isAlive());
            // After the ApplicationMaster.
            InjectedWorkAgent.waits(containers(cluster).get(1));
            int controlled = rule.equals("published") ? roles.size() : 1;
            await("their control groups")
                    .atMost(PATIENCE)
                    .until(() -> groups().size() >= controlled || !running.isAlive());
            List<Path> groups = groups();
            String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(groups).as(output).hasSizeGreaterThanOrEqualTo(controlled);
            assertThat(running.waitFor()).as(output).isZero();
            assertThat(program.result("controlled")
                            .path("states")
                            .path("SUCCEEDED")
                            .asInt())
                    .isEqualTo(1);
            await("what is left of it").atMost(PATIENCE).until(() -> groups().isEmpty());
        }
    }

    /** Of those that the NodeManager knows, in the order in which they were allocated. */
    private static List<String> containers(MiniCluster cluster) {
        return cluster.nodeManager(0).getNMContext().getContainers().keySet().stream()
                .sorted()
                .map(ContainerId::toString)
                .toList();
    }

    /** Also of containers that have ended. */
    private static List<Path> groups() {
        String prefix = "container_%d_".formatted(ResourceManager.getClusterTimeStamp());
        return ControlGroups.of(container -> container.startsWith(prefix));
    }
}
