package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DiskCountsTest {
    private static final String DISKSTATS = """
               7       0 loop0 1 0 8 9 1 0 8 9 0 9 18 0 0 0 0 0 0
             254       0 vda 58719 7596 3162426 9843 11450 12335 1203616 2582 0 5080 12634 3687 42 255072 182 838 26
             254       1 vda1 58000 7596 3162000 9800 11450 12335 1203616 2582 0 5080 12600 3687 42 255072 182 0 0
               8       0 sda 10 0 20 30 40 0 50 60 0 70 90
               8      16 sdb 10 0 x 30 40 0 50 60 0 70 90
            """;

    @Test
    void partitionsAndLoopsHoldTheRequestsOfTheDiskAgainAndAreLeftOut() {
        assertThat(DiskCounts.parse(DISKSTATS, Set.of("vda", "sda", "sdb")))
                .isEqualTo(Map.of(
                        "vda", new DiskCounts(3_162_426L * 512, 1_203_616L * 512, 9843, 2582 + 26, 58_719, 11_450),
                        "sda", new DiskCounts(20 * 512, 50 * 512, 30, 60, 10, 40)));
    }

    @Test
    void growthAddsTheDisksAndLeavesOutOneThatIsNew() {
        Map<String, DiskCounts> last =
                Map.of("sda", new DiskCounts(10, 20, 30, 40, 50, 60), "sdb", new DiskCounts(1, 1, 1, 1, 1, 1));
        Map<String, DiskCounts> next = Map.of(
                "sda", new DiskCounts(15, 26, 37, 48, 59, 70),
                "sdb", new DiskCounts(2, 3, 4, 5, 6, 7),
                "sdc", new DiskCounts(99, 99, 99, 99, 99, 99));

        assertThat(DiskCounts.growth(last, next)).isEqualTo(new DiskCounts(6, 8, 10, 12, 14, 16));
    }

    @Test
    void millisecondsThatPass32BitsGoOnGrowing() {
        Map<String, DiskCounts> last = Map.of("sda", new DiskCounts(0, 0, (1L << 32) - 10, 0, 0, 0));
        Map<String, DiskCounts> next = Map.of("sda", new DiskCounts(0, 0, 5, 0, 0, 0));

        assertThat(DiskCounts.growth(last, next).readMillis()).isEqualTo(15);
    }

    @Test
    void countsThatGoBackwardsAreLeftOut() {
        Map<String, DiskCounts> last = Map.of("sda", new DiskCounts(100, 100, 100, 100, 100, 100));
        Map<String, DiskCounts> next = Map.of("sda", new DiskCounts(1, 1, 1, 1, 1, 1));

        assertThat(DiskCounts.growth(last, next)).isEqualTo(DiskCounts.NONE);
    }

    @Test
    void cpuListCountsRangesAndSingles() {
        assertThat(CpuList.size("0-3,8,10-11\n")).isEqualTo(7);
    }
}
