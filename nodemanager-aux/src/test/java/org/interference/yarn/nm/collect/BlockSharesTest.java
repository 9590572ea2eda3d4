package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockSharesTest {
    private static final long SECOND = 1_000_000_000;
    private static final double MILLI = 1e6;

    /** A window of a second fades what is unwritten by about a per cent. */
    private static final Offset<Double> FADE = within(3 * MILLI);

    private final BlockShares shares = new BlockShares();

    @Test
    void readTimeGoesByBytesAndTheRestOfTheNodeGetsTheRest() {
        DiskCounts disks = new DiskCounts(1000, 0, 80, 0, 0, 0);

        Map<String, Double> nanos = shares.apportion(disks, Map.of("a", reads(500), "b", reads(250)), SECOND);

        assertThat(nanos).isEqualTo(Map.of("a", 40 * MILLI, "b", 20 * MILLI));
    }

    @Test
    void containersThatReadMoreThanTheDisksDidShareAllOfIt() {
        DiskCounts disks = new DiskCounts(100, 0, 80, 0, 0, 0);

        Map<String, Double> nanos = shares.apportion(disks, Map.of("a", reads(300), "b", reads(100)), SECOND);

        assertThat(nanos).isEqualTo(Map.of("a", 60 * MILLI, "b", 20 * MILLI));
    }

    @Test
    void writebackIsBookedOnTheContainerThatDirtiedTheBytesBefore() {
        shares.apportion(DiskCounts.NONE, Map.of("a", writes(1000), "b", writes(0)), SECOND);

        Map<String, Double> nanos =
                shares.apportion(new DiskCounts(0, 1000, 0, 200, 0, 0), Map.of("a", writes(0), "b", writes(0)), SECOND);

        assertThat(nanos.get("a")).isCloseTo(200 * MILLI, FADE);
        assertThat(nanos.get("b")).isZero();
    }

    @Test
    void bytesAreWrittenOnlyOnce() {
        shares.apportion(DiskCounts.NONE, Map.of("a", writes(1000)), SECOND);
        shares.apportion(new DiskCounts(0, 1000, 0, 200, 0, 0), Map.of("a", writes(0)), SECOND);

        Map<String, Double> nanos =
                shares.apportion(new DiskCounts(0, 1000, 0, 200, 0, 0), Map.of("a", writes(0)), SECOND);

        assertThat(nanos.get("a")).isZero();
    }

    @Test
    void bytesThatNeverReachADiskFade() {
        shares.apportion(DiskCounts.NONE, Map.of("a", writes(1000)), SECOND);

        Map<String, Double> nanos =
                shares.apportion(new DiskCounts(0, 1000, 0, 200, 0, 0), Map.of("a", writes(0)), 600 * SECOND);

        assertThat(nanos.get("a")).isLessThan(MILLI);
    }

    @Test
    void idleDisksAndIdleContainersShareNothing() {
        assertThat(shares.apportion(DiskCounts.NONE, Map.of("a", writes(0)), SECOND))
                .isEqualTo(Map.of("a", 0.0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sharesNeverExceedTheTimeOfTheDisks(long seed) {
        Random random = new Random(seed);
        for (int tick = 0; tick < 50; tick++) {
            DiskCounts disks = new DiskCounts(
                    random.nextInt(1000), random.nextInt(1000), random.nextInt(1000), random.nextInt(1000), 0, 0);
            Map<String, Growth> growths = new HashMap<>();
            for (int container = 0; container < random.nextInt(6); container++) {
                growths.put(
                        "c" + container,
                        new Growth(0, 0, OptionalLong.empty(), random.nextInt(500), random.nextInt(500)));
            }

            Map<String, Double> nanos = shares.apportion(disks, growths, SECOND);

            assertThat(nanos.values()).allMatch(share -> share >= 0);
            assertThat(nanos.values().stream().mapToDouble(share -> share).sum())
                    .isLessThanOrEqualTo((disks.readMillis() + disks.writeMillis()) * MILLI * (1 + 1e-9));
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static Growth reads(long bytes) {
        return new Growth(0, 0, OptionalLong.empty(), bytes, 0);
    }

    private static Growth writes(long bytes) {
        return new Growth(0, 0, OptionalLong.empty(), 0, bytes);
    }
}
