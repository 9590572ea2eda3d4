package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees of an installation that has HiBench's layout, and scripts that write down how they were run. */
class HiBenchTest {
    private static final String RUN = """
            #!/bin/bash
            here=$(cd -P -- "$(dirname -- "$0")/../../../../.." && pwd -P)
            echo "$here $INTERFERENCE_QUEUE $INTERFERENCE_TAGS" >>"$here/ran"
            pwd -P >"$here/where"
            "$here/bin/functions/monitor.py" a $$ >"$here/monitors"
            "$here/bin/functions/monitor.py" a $$ >>"$here/monitors"
            monitor=$(tail -n 1 "$here/monitors")
            kill "$monitor"
            """;

    @TempDir
    private Path directory;

    private Path home;
    private final StringWriter said = new StringWriter();

    @BeforeEach
    void install() throws IOException {
        home = directory.resolve("hibench");
        write(
                "conf/hibench.conf",
                "hibench.scale.profile small\nhibench.hdfs.data.dir\t\t${hibench.hdfs.master}/HiBench\n");
        write("conf/hadoop.conf", "hibench.hdfs.master  %s\n".formatted(files("hdfs")));
        write("conf/spark.conf", "");
        write(
                "conf/workloads/micro/sort.conf",
                "hibench.workload.input in\nhibench.workload.output\t${dir}/Sort/Output\n");
        write("bin/functions/monitor.py", "#!/bin/sh\nexit 1\n");
        write("bin/workloads/micro/sort/hadoop/run.sh", RUN);
        write("bin/workloads/micro/sort/prepare/prepare.sh", RUN);
        write("autogen/target/tool.jar", "");
    }

    @Test
    void jobsHaveATreeEachAndOutputsOfTheirOwn() throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees"), ScaleProfile.LARGE);

        Path one = hibench.make("0", "micro/sort/hadoop", "r-0", "root.a", List.of("x", "y"));
        Path two = hibench.make("1", "micro/sort/hadoop", "r-1", "root.b", List.of());

        assertThat(one.resolve("conf/workloads/micro/sort.conf"))
                .hasContent("hibench.workload.input in\nhibench.workload.output\t${dir}/Sort/Output-r-0\n");
        assertThat(two.resolve("conf/workloads/micro/sort.conf")).content().contains("Output-r-1");
        assertThat(one.resolve("conf/zz-dispatch.conf"))
                .content()
                .contains("hibench.scale.profile large", "spark.yarn.queue root.a", "spark.yarn.tags x,y");
        assertThat(one.resolve("autogen/target/tool.jar")).exists();
        assertThat(home.resolve("conf/workloads/micro/sort.conf")).content().doesNotContain("r-0");
    }

    @Test
    void aWorkloadIsPreparedOnceAndRunWithItsQueueAndTagsAndWithoutTheMonitor() throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees"), ScaleProfile.TINY);
        HiBenchClient client = client(hibench, "r");
        List<Submission> timetable = List.of(submission(0, "micro/sort/hadoop"), submission(1, "micro/sort/hadoop"));
        try (RunDirectory folder = RunDirectory.open(directory.resolve("r"));
                Screen screen = new PlainScreen(new PrintWriter(Writer.nullWriter()))) {
            client.prepare(timetable, "root.a", List.of(), folder, screen);
            client.prepare(timetable, "root.a", List.of(), folder, screen);
            for (Submission submission : timetable) {
                client.submit(new Client.Order(
                        submission,
                        List.of(),
                        "root.a",
                        Tags.of("r", submission, List.of()),
                        folder.log("log"),
                        false));
            }
        }

        Path prepared = hibench.tree("prepare-w");
        assertThat(prepared.resolve("ran")).content().hasLineCount(1);
        assertThat(hibench.tree("0").resolve("ran"))
                .hasContent("%s root.a ifc:w,run=r,inst=0\n"
                        .formatted(hibench.tree("0").toRealPath()));
        assertThat(hibench.tree("1").resolve("ran")).content().contains("inst=1");
        Path tree = hibench.tree("0").toRealPath();
        assertThat(tree.resolve("where")).hasContent(tree + "\n");
        for (String monitor : Files.readAllLines(tree.resolve("monitors"))) {
            // HiBench kills the last of several; the others end with the script.
            Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(monitor));
            if (process.isPresent()) {
                assertThat(process.get().onExit()).succeedsWithin(Duration.ofMinutes(1));
            }
        }
    }

    @Test
    void whatAnEarlierRunHasPreparedIsUsedAgainAtItsScale() throws Exception {
        prepare("one", ScaleProfile.TINY, "micro/sort/hadoop");
        prepare("two", ScaleProfile.TINY, "micro/sort/spark");
        prepare("three", ScaleProfile.SMALL, "micro/sort/hadoop");

        assertThat(directory.resolve("trees-one/prepare-w/ran")).exists();
        assertThat(directory.resolve("trees-two/prepare-w/ran")).doesNotExist();
        assertThat(directory.resolve("trees-three/prepare-w/ran")).exists();
        assertThat(said.toString())
                .contains("micro/sort/spark was prepared before; delete ", "hdfs/HiBench/dispatch-prepared/micro-sort");
    }

    /** HiBench keeps one input of a workload. */
    @Test
    void anInputOfAnotherScaleHasTakenThePlaceOfTheFirst() throws Exception {
        prepare("one", ScaleProfile.TINY, "micro/sort/hadoop");
        prepare("two", ScaleProfile.SMALL, "micro/sort/hadoop");
        prepare("three", ScaleProfile.TINY, "micro/sort/hadoop");

        assertThat(directory.resolve("trees-three/prepare-w/ran")).exists();
    }

    @Test
    void anInputWhosePreparationHasFailedIsNotThere() throws Exception {
        prepare("one", ScaleProfile.TINY, "micro/sort/hadoop");
        Files.writeString(home.resolve("bin/workloads/micro/sort/prepare/prepare.sh"), "#!/bin/bash\nexit 1\n");
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> prepare("two", ScaleProfile.SMALL, "micro/sort/hadoop"));

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> prepare("three", ScaleProfile.TINY, "micro/sort/hadoop"));
    }

    /** As after a cluster for trying things out was started again. */
    @Test
    void aFileSystemThatWasMadeAnewIsPreparedAnew() throws Exception {
        prepare("one", ScaleProfile.TINY, "micro/sort/hadoop");
        write("conf/hadoop.conf", "hibench.hdfs.master %s\n".formatted(files("another")));
        prepare("two", ScaleProfile.TINY, "micro/sort/hadoop");

        assertThat(directory.resolve("trees-two/prepare-w/ran")).exists();
    }

    /** As HiBench reads them, by their names. */
    @Test
    void inputsLieWhereTheLastOfHiBenchsFilesSays() throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees"), ScaleProfile.TINY);
        write("conf/yy-cluster.conf", "hibench.hdfs.data.dir file:///here\n");
        write("conf/aa-cluster.conf", "hibench.hdfs.data.dir file:///there\n");

        assertThat(hibench.data()).isEqualTo("file:///here");
    }

    @Test
    void settingsThatDoNotSayWhereInputsAreAreRefused() throws IOException {
        write("conf/hadoop.conf", "");

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> prepare("one", ScaleProfile.TINY, "micro/sort/hadoop"))
                .withMessageEndingWith("conf has hibench.hdfs.master");
    }

    /** A driver that runs in the cluster has HiBench's settings from there, where HiBench writes them. */
    @Test
    void aDriverInTheClusterFindsHiBenchsSettings() throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees"), ScaleProfile.TINY);

        for (String program : List.of("micro/sort/spark", "bin/workloads/micro/sort/prepare/prepare.sh")) {
            Path tree = hibench.make(program.replace('/', '-'), program, "r", "root.a", List.of());
            String how = program.endsWith("spark") ? "spark" : "prepare";
            assertThat(tree.resolve("conf/zz-dispatch.conf"))
                    .content()
                    .contains("spark.yarn.appMasterEnv.SPARKBENCH_PROPERTIES_FILES %s\n"
                            .formatted(tree.resolve("report/sort/" + how + "/conf/sparkbench/sparkbench.conf")));
        }
    }

    @Test
    void aWorkloadWithoutPreparationIsNamed() throws Exception {
        write("bin/workloads/streaming/identity/spark/run.sh", RUN);

        prepare("one", ScaleProfile.TINY, "streaming/identity/spark");

        assertThat(said.toString()).contains("streaming/identity/spark has no prepare.sh: it finds its data, or fails");
    }

    @Test
    void writersOfDfsioeWorkInFoldersOfTheirOwn() throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees"), ScaleProfile.TINY);

        write("bin/workloads/micro/sort/hadoop/run_write.sh", "#!/bin/bash\nSIZE=`dir_size $INPUT_HDFS`\ntrue\n");

        Path tree = hibench.make("0", "micro/sort/hadoop/run_write.sh", "r-0", "root.a", List.of());

        assertThat(tree.resolve("conf/workloads/micro/sort.conf"))
                .hasContent("hibench.workload.input in-r-0\nhibench.workload.output\t${dir}/Sort/Output-r-0\n");
        // There is no folder yet of which it could be.
        assertThat(tree.resolve("bin/workloads/micro/sort/hadoop/run_write.sh"))
                .isExecutable()
                .isRegularFile()
                .hasContent("#!/bin/bash\nSIZE=0\ntrue\n");
        assertThat(home.resolve("bin/workloads/micro/sort/hadoop/run_write.sh"))
                .content()
                .contains("dir_size");
    }

    @Test
    void twoReadersOfDfsioeAreRefused() {
        String reader = "micro/dfsioe/hadoop/run_read.sh";

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> prepare("one", ScaleProfile.TINY, reader, reader))
                .withMessageStartingWith("2 jobs are dfsioe-read");
    }

    private void prepare(String run, ScaleProfile scale, String... programs) throws Exception {
        HiBench hibench = new HiBench(home, directory.resolve("trees-" + run), scale);
        List<Submission> timetable = new ArrayList<>();
        for (String program : programs) {
            timetable.add(submission(timetable.size(), program));
        }
        try (RunDirectory folder = RunDirectory.open(directory.resolve(run));
                Screen screen = new PlainScreen(new PrintWriter(said, true))) {
            client(hibench, run).prepare(timetable, "root.a", List.of(), folder, screen);
        }
    }

    private static HiBenchClient client(HiBench hibench, String run) throws Exception {
        return new HiBenchClient(
                hibench, new PreparedInputs(new Configuration(false), hibench.data(), hibench.scale()), run);
    }

    /** A file system of a name, as HiBench's settings write it. */
    private String files(String name) {
        return "file://" + directory.resolve(name);
    }

    private static Submission submission(int instance, String program) {
        Job job = new Job(
                "w", Framework.HIBENCH, program, Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        return new Submission(instance, Duration.ZERO, job);
    }

    @Test
    void aFolderThatIsNoConfiguredHiBenchIsRefused() throws IOException {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> HiBench.check(directory))
                .withMessageContaining("which has no bin/workloads");
        Files.delete(home.resolve("conf/spark.conf"));
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> HiBench.check(home))
                .withMessageContaining("has no conf/spark.conf");
    }

    private void write(String path, String text) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
