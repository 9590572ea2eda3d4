package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileToolTest {
    @TempDir
    private Path directory;

    private Instant now = T0;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @Test
    void traceOfTheOriginalToolBecomesAProfileAndComesOutAgain() throws IOException {
        Path trace = directory.resolve("trace.csv");
        Files.writeString(trace, "0;0;20;0;0;24;10\n0;0;40;0;0;24;30\n");
        String store = directory.resolve("store").toString();

        assertThat(run("import-csv", store, "ann", "disk", "map", trace.toString()))
                .isZero();

        TaskProfile profile = only(store);
        assertThat(profile.key().text()).isEqualTo("ifc:ann/disk/map");
        assertThat(profile.load().level(Signal.BLK)).hasValue(0.3);
        assertThat(profile.signals().get(Signal.CPU).peak()).isEqualTo(0.3);
        assertThat(profile.runTimeSeconds().mean()).isEqualTo(2);
        Path out = directory.resolve("out.csv");
        assertThat(run("export-csv", store, "ifc:ann/disk/map", out.toString())).isZero();
        assertThat(out).hasContent("0;0;30;0;0;24;20\n0;0;30;0;0;24;20\n");
    }

    @Test
    void exportedStoreIsImportedIntoAnother() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.csv"), "1;2;3;4;5;6;7\n");
        String one = directory.resolve("one").toString();
        String other = directory.resolve("other").toString();
        String document = directory.resolve("all.json").toString();
        run("import-csv", one, "ann", "any", "map", trace.toString());

        assertThat(run("export", one, document)).isZero();
        assertThat(run("import", other, document)).isZero();

        assertThat(only(other)).isEqualTo(only(one));
    }

    @Test
    void exportOfWhatIsNoStoreLeavesAnEarlierExportAsItIs() throws IOException {
        Path earlier = Files.writeString(directory.resolve("all.json"), "earlier");
        Path mistyped = directory.resolve("stroe");

        assertThat(run("export", mistyped.toString(), earlier.toString())).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("there is no store of profiles in");
        assertThat(earlier).hasContent("earlier");
        assertThat(mistyped).doesNotExist();
    }

    /** By a clock that is wrong: no task would ever be newer. */
    @Test
    void profileOfTheFutureIsNotImported() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.csv"), "1;2;3;4;5;6;7\n");
        String one = directory.resolve("one").toString();
        String document = directory.resolve("all.json").toString();
        now = T0.plus(Duration.ofDays(2));
        run("import-csv", one, "ann", "any", "map", trace.toString());
        run("export", one, document);
        now = T0;

        assertThat(run("import", directory.resolve("other").toString(), document))
                .isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("ifc:ann/any/map is of ");
    }

    /** Names of users and jobs are in it. */
    @Test
    void storeIsForItsOwnerAlone() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.csv"), "1;2;3;4;5;6;7\n");
        Path store = directory.resolve("store");

        run("import-csv", store.toString(), "ann", "any", "map", trace.toString());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(store)) {
            assertThat(files.toList()).isNotEmpty().allSatisfy(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
        }
    }

    @Test
    void furtherTraceIsOneTaskMoreOfItsProfile() throws IOException {
        Path one = Files.writeString(directory.resolve("one.csv"), "0;0;10;0;0;0;0\n");
        Path other = Files.writeString(directory.resolve("other.csv"), "0;0;30;0;0;0;0\n");
        String store = directory.resolve("store").toString();

        run("import-csv", store, "ann", "disk", "map", one.toString(), other.toString());
        run("import-csv", store, "ann", "disk", "map", other.toString());

        assertThat(only(store).samples()).isEqualTo(3);
        assertThat(only(store).runTimeSeconds().mean()).isEqualTo(1);
    }

    @Test
    void oneUnreadableTraceOfSeveralLeavesTheProfileAsItWas() throws IOException {
        Path one = Files.writeString(directory.resolve("one.csv"), "0;0;10;0;0;0;0\n");
        Path wrong = Files.writeString(directory.resolve("wrong.csv"), "0;0\n");
        String store = directory.resolve("store").toString();
        run("import-csv", store, "ann", "disk", "map", one.toString());

        assertThat(run("import-csv", store, "ann", "disk", "map", one.toString(), wrong.toString()))
                .isEqualTo(1);

        assertThat(only(store).samples()).isEqualTo(1);
    }

    @Test
    void importLeavesWhatIsNewerInTheStore() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.csv"), "1;2;3;4;5;6;7\n");
        String store = directory.resolve("store").toString();
        String document = directory.resolve("old.json").toString();
        run("import-csv", store, "ann", "any", "map", trace.toString());
        run("export", store, document);
        now = T0.plusSeconds(1);
        run("import-csv", store, "ann", "any", "map", trace.toString());

        assertThat(run("import", store, document)).isZero();

        assertThat(only(store).samples()).isEqualTo(2);
    }

    @Test
    void importPutsNoProfileOfFewerTasksInTheStoreUnlessItIsToldTo() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.csv"), "1;2;3;4;5;6;7\n");
        String store = directory.resolve("store").toString();
        String other = directory.resolve("other").toString();
        String document = directory.resolve("one.json").toString();
        run("import-csv", store, "ann", "any", "map", trace.toString());
        run("import-csv", store, "ann", "any", "map", trace.toString());
        now = T0.plusSeconds(1);
        run("import-csv", other, "ann", "any", "map", trace.toString());
        run("export", other, document);

        assertThat(run("import", store, document)).isEqualTo(1);
        assertThat(only(store).samples()).isEqualTo(2);

        assertThat(run("import", "--replace", store, document)).isZero();
        assertThat(only(store).samples()).isEqualTo(1);
    }

    @Test
    void whatIsWrongIsSaid() throws IOException {
        Path wrong = Files.writeString(directory.resolve("wrong"), "1;2;3\n");
        String store = directory.resolve("store").toString();

        assertThat(run()).isEqualTo(1);
        assertThat(run("import-csv", store, "ann", "any", "map", wrong.toString()))
                .isEqualTo(1);
        assertThat(run("import-csv", store, "ann", "any", "map", "absent.csv")).isEqualTo(1);
        assertThat(run("import", store, wrong.toString())).isEqualTo(1);
        assertThat(run("import-csv", store, "ann", "any", "map", trace("right.csv", "1;2;3;4;5;6;7\n")))
                .isZero();
        assertThat(run("export-csv", store, "none", wrong.toString())).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("usage: export")
                .contains(wrong + ": line 1 has 3 fields")
                .contains("absent.csv is not there")
                .contains(wrong + ": ")
                .contains("there is no profile of none");
    }

    @Test
    void filesAreClassifiedWithoutAStore() throws IOException {
        String disk = trace("disk.csv", "netp\tnets\tblk\tmbw\tllcmr\tllocc\tcpu\n00\t00\t20\t00\t00\t24\t01\n");
        String alike = trace("disk2.csv", "0;0;22;;0;24;1\n0;0;24;;0;24;3\n");
        String cpu = trace("cpu.csv", "0;0;0;1;0;17;99.5;\n");

        assertThat(run("classify", "--clusters", "2", disk, alike, cpu)).isZero();

        List<String> lines = out.toString(StandardCharsets.UTF_8)
                .replace(directory + "/", "")
                .lines()
                .toList();
        assertThat(lines.get(0)).matches("file +netp +nets +blk +mbw +llcmr +llocc +cpu +cluster");
        String diskCluster = lines.get(2).substring(lines.get(2).length() - 1);
        assertThat(lines.get(1))
                .matches("cpu.csv +absent +absent +absent +low +absent +low +high +\\d")
                .doesNotEndWith(diskCluster);
        assertThat(lines.get(2)).matches("disk.csv +absent +absent +low +absent +absent +moderate +low +\\d");
        assertThat(lines.get(3))
                .matches("disk2.csv +absent +absent +moderate +- +absent +moderate +low +\\d")
                .endsWith(diskCluster);
        assertThat(lines).contains("cluster " + diskCluster + ": blk=moderate llocc=moderate cpu=low, 2 of 3 files");
    }

    @Test
    void fewFilesHaveClassesAndNoCluster() throws IOException {
        assertThat(run("classify", trace("one.csv", "0;0;20;0;0;24;1\n"))).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("one.csv +absent +absent +low +absent +absent +moderate +low +-\n")
                .endsWith("No clusters: these take three different files at least, with two signals in all of them.\n");
    }

    @Test
    void whatCannotBeClassifiedIsNamed() throws IOException {
        String wrong = trace("wrong.csv", "0;0;20;0;0;24;1\n0;0;101;0;0;24;1\n");

        assertThat(run("classify", wrong)).isEqualTo(1);
        assertThat(run("classify", "--clusters", "many", wrong)).isEqualTo(1);
        assertThat(run("classify", "--clusters", "4")).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        wrong + ": line 2: blk is '101' but must be a number from 0 to 100",
                        "--clusters is 'many' but must be a whole number from 2 to 999",
                        "--clusters K is followed by the files");
        assertThat(out.size()).isZero();
    }

    private String trace(String name, String lines) throws IOException {
        return Files.writeString(directory.resolve(name), lines).toString();
    }

    private int run(String... args) {
        return new ProfileTool(new Configuration(false), () -> now)
                .run(
                        List.of(args),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    private static TaskProfile only(String store) throws IOException {
        List<TaskProfile> profiles = List.copyOf(ProfileStore.read(new LocalDirectory(Path.of(store))));
        assertThat(profiles).hasSize(1);
        return profiles.get(0);
    }
}
