package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.collect.ProcFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupportTest {
    private static final String YARNS = "/hadoop-yarn";

    @TempDir
    private Path directory;

    private final FakeControlFiles files = new FakeControlFiles();

    @Test
    void withoutAHierarchyNothingIsSupported() throws IOException {
        write("self/mountinfo", "");

        Support support = support(true);

        assertThat(support.cores()).hasValueSatisfying(why -> assertThat(why).contains("cpuset"));
        assertThat(support.disks()).hasValueSatisfying(why -> assertThat(why).contains("io"));
    }

    @Test
    void version1NeedsItsOwnGroupAndTheRightToMove() throws IOException {
        write("self/mountinfo", "34 31 0:31 / /cg/cpuset rw,relatime - cgroup cgroup rw,cpuset\n");
        write("self/cgroup", "2:cpuset:/node\n");
        files.group("/cg/cpuset", "cpuset.cpus", "0-3").group("/cg/cpuset/node", "cpuset.cpus", "0-3");

        assertThat(support(true).cores()).isEmpty();
        assertThat(support(true).disks()).isPresent();
        assertThat(support(false).cores())
                .hasValueSatisfying(why -> assertThat(why).contains("only root may move"));
        files.refuse("/cg/cpuset/node");
        assertThat(support(true).cores())
                .hasValueSatisfying(why -> assertThat(why).contains("/cg/cpuset/node"));
    }

    @Test
    void version2NeedsADelegatedTree() throws IOException {
        version2("cpu memory");
        files.refuse("/cg/v2");

        assertThat(support(true).cores())
                .hasValueSatisfying(why -> assertThat(why).contains("/cg/v2/hadoop-yarn", "cpuset"));
    }

    @Test
    void yarnsOwnGroupsWithTheControllersAreEnoughForAnybody() throws IOException {
        version2("cpu memory cpuset io");
        files.refuse("/cg/v2");
        files.group("/cg/v2" + YARNS, "cgroup.subtree_control", "cpu", "cgroup.controllers", "cpu memory cpuset io");

        assertThat(support(false)).isEqualTo(new Support(Optional.empty(), Optional.empty()));

        files.group("/cg/v2" + YARNS, "cgroup.subtree_control", "cpu", "cgroup.controllers", "cpu memory cpuset");
        assertThat(support(false).cores()).isEmpty();
        assertThat(support(false).disks()).isPresent();
    }

    @Test
    void withoutADiskThereIsNoneToLimit() {
        Support all = new Support(Optional.empty(), Optional.empty());

        assertThat(all.with(List.of("8:0"))).isEqualTo(all);
        assertThat(all.with(List.of()).disks()).hasValue("no disk is known behind the local directories");
        assertThat(all.with(List.of()).cores()).isEmpty();
        assertThat(new Support(Optional.empty(), Optional.of("no io"))
                        .with(List.of())
                        .disks())
                .hasValue("no io");
    }

    private void version2(String enabled) throws IOException {
        write("self/mountinfo", "35 24 0:30 / /cg/v2 rw shared:4 - cgroup2 cgroup2 rw\n");
        write("self/cgroup", "0::/system.slice/nodemanager\n");
        files.group("/cg/v2", "cgroup.controllers", "cpuset cpu io memory\n", "cgroup.subtree_control", enabled);
    }

    private Support support(boolean mayMove) throws IOException {
        return Support.of(new ProcFiles(directory, directory), files, YARNS, mayMove);
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
