package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.NodeCores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyTest {
    @TempDir
    private Path directory;

    private Topology topology;

    @BeforeEach
    void eightThreads() throws IOException {
        topology = new Topology(new ProcFiles(directory.resolve("proc"), directory.resolve("sys")));
        allowed("0-7");
        write("sys/devices/system/cpu/online", "0-7\n");
    }

    @Test
    void threadsOfACoreAndCoresOfANumaNodeStandTogether() throws IOException {
        write("sys/devices/system/node/online", "0-1\n");
        write("sys/devices/system/node/node0/cpulist", "0,2,4,6\n");
        write("sys/devices/system/node/node1/cpulist", "1,3,5,7\n");
        for (int cpu = 0; cpu < 8; cpu++) {
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", cpu % 2 + "\n");
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/core_id", cpu / 2 % 2 + "\n");
        }

        assertThat(topology.cores().numaNodes())
                .containsExactly(
                        List.of(CoreSet.parse("0,4"), CoreSet.parse("2,6")),
                        List.of(CoreSet.parse("1,5"), CoreSet.parse("3,7")));
    }

    @Test
    void whereSysfsSaysNothingTheyStandByNumber() throws IOException {
        assertThat(topology.cores()).isEqualTo(NodeCores.of(CoreSet.parse("0-7")));
    }

    @Test
    void coresThatArePluggedOrForbiddenAreSeen() throws IOException {
        assertThat(topology.cores().size()).isEqualTo(8);

        write("sys/devices/system/cpu/online", "0-3\n");
        assertThat(topology.cores().all()).isEqualTo(CoreSet.parse("0-3"));
        assertThat(topology.cores().size()).isEqualTo(4);

        allowed("2-5");
        assertThat(topology.cores()).isEqualTo(NodeCores.of(CoreSet.parse("2-3")));
    }

    private void allowed(String cpus) throws IOException {
        write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t" + cpus + "\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
