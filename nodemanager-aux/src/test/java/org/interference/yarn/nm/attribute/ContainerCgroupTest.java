package org.interference.yarn.nm.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerCgroupTest {
    private static final String ID = "container_e17_1410901177871_0001_01_000005";

    private static final String MOUNTS = """
            22 1 0:21 / /proc rw,relatime - proc proc rw
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
            37 31 0:34 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
            """;

    @Test
    void versionOneCgroupIsFoundUnderItsController() {
        String cgroups = "4:memory:/\n3:cpu,cpuacct:/hadoop-yarn/" + ID + "\n0::/\n";

        assertThat(ContainerCgroup.directory(ID, cgroups, MOUNTS))
                .contains("/sys/fs/cgroup/cpu,cpuacct/hadoop-yarn/" + ID);
    }

    @Test
    void versionTwoCgroupIsFoundInTheUnifiedHierarchy() {
        assertThat(ContainerCgroup.directory(ID, "0::/yarn/" + ID + "\n", MOUNTS))
                .contains("/sys/fs/cgroup/unified/yarn/" + ID);
    }

    @Test
    void cgroupOfADockerContainerIsCutAtTheYarnContainer() {
        assertThat(ContainerCgroup.directory(ID, "0::/yarn/" + ID + "/3f2a/init\n", MOUNTS))
                .contains("/sys/fs/cgroup/unified/yarn/" + ID);
    }

    @Test
    void eachControllerHasItsDirectory() {
        String cgroups = "4:memory:/\n3:cpu,cpuacct:/hadoop-yarn/" + ID + "\n0::/yarn/" + ID + "\n";

        assertThat(ContainerCgroup.directories(ID, cgroups, CgroupMount.all(MOUNTS)))
                .isEqualTo(Map.of(
                        "cpu",
                        "/sys/fs/cgroup/cpu,cpuacct/hadoop-yarn/" + ID,
                        "cpuacct",
                        "/sys/fs/cgroup/cpu,cpuacct/hadoop-yarn/" + ID,
                        ContainerCgroup.UNIFIED,
                        "/sys/fs/cgroup/unified/yarn/" + ID));
    }

    @Test
    void hierarchyThatIsNotMountedIsPassedOver() {
        String cgroups = "7:blkio:/yarn/" + ID + "\n0::/yarn/" + ID + "\n";

        assertThat(ContainerCgroup.directory(ID, cgroups, MOUNTS)).contains("/sys/fs/cgroup/unified/yarn/" + ID);
    }

    @Test
    void mountOfASubtreeIsTakenOffThePath() {
        String mounts = "41 31 0:38 /pods/p1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";

        assertThat(ContainerCgroup.directory(ID, "0::/pods/p1/yarn/" + ID + "\n", mounts))
                .contains("/sys/fs/cgroup/yarn/" + ID);
    }

    @Test
    void containerWhoseIdOnlyBeginsAlikeIsAnother() {
        assertThat(ContainerCgroup.directory(ID, "0::/yarn/" + ID + "9\n", MOUNTS))
                .isEmpty();
    }

    @Test
    void processOutsideAnyContainerCgroupHasNone() {
        assertThat(ContainerCgroup.directory(ID, "0::/\nrubbish\n", MOUNTS)).isEmpty();
    }
}
