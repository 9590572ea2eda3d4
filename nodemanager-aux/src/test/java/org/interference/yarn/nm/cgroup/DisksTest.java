package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.nm.control.DiskUse;
import org.junit.jupiter.api.Test;

class DisksTest {
    @Test
    void aDeviceNumberIsReadAsTheKernelPacksIt() {
        assertThat(Disks.name(0xfe01)).isEqualTo("254:1");
        assertThat(Disks.name(0x10_0203)).isEqualTo("2:259");
    }

    @Test
    void onlyTheGivenDisksBytesCount() {
        String diskstats = """
                   8       0 sda 10 0 100 5 20 0 300 7 0 0 0
                   8       1 sda1 10 0 100 5 20 0 300 7 0 0 0
                   7       0 loop0 1 0 8 0 1 0 8 0 0 0 0
                """;

        assertThat(Disks.use(diskstats, List.of("8:0"), Set.of())).hasValue(new DiskUse(400 * 512, Map.of()));
        assertThat(Disks.use(diskstats, List.of("9:9"), Set.of())).isEmpty();
        assertThat(Disks.use("nonsense\n", List.of("8:0"), Set.of())).isEmpty();
    }

    @Test
    void howLongDisksWereBusyIsToldWhereAllOfThemTurn() {
        String diskstats = """
                   8       0 sda 10 0 100 5 20 0 300 7 0 2500 12
                   8      16 sdb 10 0 100 5 20 0 300 7 0 500 12
                """;
        List<String> disks = List.of("8:0", "8:16");

        assertThat(Disks.use(diskstats, disks, Set.of("8:0", "8:16"))
                        .orElseThrow()
                        .busySeconds())
                .isEqualTo(Map.of("8:0", 2.5, "8:16", 0.5));
        assertThat(Disks.use(diskstats, disks, Set.of("8:0")).orElseThrow().busySeconds())
                .isEmpty();
    }
}
