package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program bin/dispatch and real applications, on a cluster with the plugin. */
@Timeout(900)
class DispatchTest {
    @TempDir
    private Path directory;

    @Test
    void threeMapReduceJobsOfAListSucceedAndTheResultSaysWhereTheyRan() throws Exception {
        MiniCluster.requireHttp();
        try (MiniCluster cluster = MiniCluster.start(
                        DispatchTest.class.getSimpleName(), 2, conf -> DispatchProgram.settings(conf, directory));
                DispatchProgram program = DispatchProgram.of(cluster, directory)) {
            Path jobs = Files.writeString(directory.resolve("jobs.tsv"), """
                    workload\tframework\tprogram\targuments\tcount
                    pi\tmapreduce\torg.apache.hadoop.examples.QuasiMonteCarlo\t2 1000\t1
                    teragen\tmapreduce\torg.apache.hadoop.examples.terasort.TeraGen\t1000 ${output}\t2
                    """);
            String[] arguments = {
                "--jobs", jobs.toString(), "--run-dir", program.folder("three"), "--batch", "2", "--interval", "2s"
            };

            DispatchProgram.End end = program.run(arguments);

            assertThat(end.status()).as(end.output()).isZero();
            JsonNode result = program.result("three");
            assertThat(result.path("complete").asBoolean()).isTrue();
            assertThat(result.path("states").path("SUCCEEDED").asInt()).isEqualTo(3);
            assertThat(result.path("density").asDouble()).isBetween(0.001, 1.0);
            for (JsonNode job : result.path("jobs")) {
                assertThat(job.path("applications").size()).isEqualTo(1);
                assertThat(job.path("containers").asInt()).isPositive();
                assertThat(job.path("nodes").path(0).asText()).startsWith("localhost");
                assertThat(job.path("endMillis").asLong())
                        .isGreaterThan(job.path("startMillis").asLong());
                assertThat(job.path("startMillis").asLong())
                        .isGreaterThanOrEqualTo(job.path("submitMillis").asLong());
            }
            int submitted = cluster.resourceManager().getRMContext().getRMApps().size();

            DispatchProgram.End again = program.run(arguments);

            assertThat(again.status()).as(again.output()).isZero();
            assertThat(again.output()).contains("Run three is finished");
            assertThat(cluster.resourceManager().getRMContext().getRMApps()).hasSize(submitted);
        }
    }

    @Test
    void aMakeflowFileRunsAsContainersOfItsCategoriesAndGoesOnWhereItFailed() throws Exception {
        MiniCluster.requireHttp();
        try (MiniCluster cluster = MiniCluster.start("workflow", 2, conf -> DispatchProgram.settings(conf, directory));
                DispatchProgram program = DispatchProgram.of(cluster, directory)) {
            Path folder = Files.createDirectory(directory.resolve("flow"));
            Files.writeString(folder.resolve("words"), "d\nb\nc\na\n");
            Files.writeString(folder.resolve("sorter"), "#!/bin/bash\nset -e\ncat repair\nsort \"$1\"\n");
            Path file = Files.writeString(folder.resolve("flow.makeflow"), """
                    MEMORY=256
                    CATEGORY=split
                    left right: words
                    \tLOCAL head -n 2 words > left && tail -n +3 words > right
                    CATEGORY=Sort
                    left.sorted: left sorter repair
                    \t./sorter "left" > 'left.sorted'
                    deep/right.sorted->right.sorted: right sorter repair
                    \t./sorter right > right.sorted; test -n "\\$CONTAINER_ID"
                    bad: right
                    \tcat repair > bad
                    CATEGORY=merge
                    sorted: left.sorted deep/right.sorted
                    \tsort -m left.sorted deep/right.sorted > sorted
                    """);
            String[] arguments = {"--dag", file.toString(), "--run-dir", program.folder("flow"), "--tag", "nightly"};

            DispatchProgram.End refused = program.run(arguments);

            assertThat(refused.status()).as(refused.output()).isEqualTo(2);
            assertThat(refused.output())
                    .contains("flow.makeflow, line 6: wants 'repair', which no rule makes and which is not in ");

            Files.writeString(folder.resolve("repair"), "");
            DispatchProgram.End first = program.run(arguments);

            assertThat(first.status()).as(first.output()).isEqualTo(1);
            assertThat(folder.resolve("sorted")).as(first.output()).hasContent("a\nb\nc\nd");
            JsonNode rules = program.result("flow").path("rules");
            assertThat(rules.findValuesAsText("state")).containsExactly("DONE", "DONE", "DONE", "FAILED", "DONE");
            assertThat(rules.path(1).path("where").asText()).matches("container_\\S+ on localhost.*");
            assertThat(rules.path(3).path("said").asText()).contains("repair: No such file");
            assertThat(cluster.resourceManager().getRMContext().getRMApps().values())
                    .extracting(app -> app.getApplicationTags().contains("nightly") + " " + app.getName() + " "
                            + app.getFinalApplicationStatus())
                    .containsExactlyInAnyOrder("true sort FAILED", "true merge SUCCEEDED");

            DispatchProgram.End second = program.run(arguments);

            assertThat(second.output()).contains("4 of 5 rules are done");
            assertThat(program.result("flow").path("rules").findValuesAsText("starts"))
                    .containsExactly("0", "0", "0", "1", "0");
        }
    }

    @Test
    void aSparkApplicationInClusterModeSucceedsAndItsExecutorsHaveAProfile() throws Exception {
        DispatchProgram.assumeSpark();
        try (MiniCluster cluster = MiniCluster.start("spark", 2, conf -> {
                    DispatchProgram.settings(conf, directory);
                    conf.set("yarn.interference.nm.collect.interval-ms", "200");
                    conf.set("yarn.nodemanager.vmem-check-enabled", "false");
                });
                DispatchProgram program = DispatchProgram.of(cluster, directory)) {
            Path jobs = Files.writeString(directory.resolve("jobs.tsv"), "workload\nkmeans-spark\n");

            DispatchProgram.End end =
                    program.run("--jobs", jobs.toString(), "--run-dir", program.folder("spark"), "--tag", "nightly");

            assertThat(end.status()).as(end.output()).isZero();
            JsonNode job = program.result("spark").path("jobs").path(0);
            assertThat(job.path("framework").asText()).isEqualTo("spark");
            // The ApplicationMaster, which is the driver, and two executors.
            assertThat(job.path("containers").asInt()).isGreaterThanOrEqualTo(2);
            await("a profile of the executors").atMost(PATIENCE).untilAsserted(() -> assertThat(keys(cluster))
                    .anyMatch(key -> key.startsWith("ifc:") && key.contains("/kmeans-spark/executor-")));
        }
    }

    private static List<String> keys(MiniCluster cluster) throws Exception {
        return Daemons.json("http://%s/ws/v1/interference/profiles?limit=1000".formatted(cluster.webAddress()))
                .path("profiles")
                .findValuesAsText("key");
    }
}
