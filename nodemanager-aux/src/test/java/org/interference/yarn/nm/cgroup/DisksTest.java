package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

        assertThat(Disks.bytes(diskstats, List.of("8:0"))).hasValue(400 * 512);
        assertThat(Disks.bytes(diskstats, List.of("9:9"))).isEmpty();
        assertThat(Disks.bytes("nonsense\n", List.of("8:0"))).isEmpty();
    }
}
