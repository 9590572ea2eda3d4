package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FootprintTest {
    private static final double GIB = 1 << 30;

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bucketsAreBoundedAndNeverBelowWhatWasSeen(long seed) {
        Random random = new Random(seed);
        Footprint footprint = Footprint.NONE;
        double highest = 0;
        for (int i = 0; i < 500; i++) {
            double peak = Math.pow(2, 20 + random.nextDouble() * 20);
            highest = Math.max(highest, peak);
            footprint = footprint.with(use(peak, 10));

            assertThat(footprint.peaks()).hasSizeLessThanOrEqualTo(Footprint.MOST_BUCKETS);
            assertThat(footprint.remembered()).isEqualTo(i + 1);
            assertThat(footprint.peakBytes()).isBetween(highest, highest * 1.045);
        }
        assertThat(footprint.tasks()).isEqualTo(500);
        assertThat(footprint.totals().seconds()).isEqualTo(5000);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void quantileIsNotExceededByThatShare(long seed) {
        Random random = new Random(seed);
        Footprint footprint = Footprint.NONE;
        for (int i = 0; i < 300; i++) {
            footprint = footprint.with(use(GIB * (1 + random.nextDouble() * 2), 1 + random.nextInt(100)));
        }

        for (double share : List.of(0.1, 0.5, 0.99, 1.0)) {
            double bytes = footprint.quantileBytes(share);
            assertThat(footprint.above(bytes)).isLessThanOrEqualTo((long) Math.ceil((1 - share) * 300));
        }
        assertThat(footprint.above(0)).isEqualTo(300);
        assertThat(footprint.secondsAbove(0)).isEqualTo(footprint.totals().seconds());
    }

    @Test
    void exhaustedTaskCountsWithAPeakAboveWhatItWasGiven() {
        Footprint footprint = Footprint.NONE.with(
                new ResourceUse(4 * GIB, 1, 10, 3.9 * GIB, 3 * GIB, OptionalDouble.empty(), 64 * GIB, true));

        assertThat(footprint.exhausted()).isEqualTo(1);
        assertThat(footprint.above(4 * GIB)).isEqualTo(1);
    }

    /** A program that was mended needs no more what it once needed. */
    @Test
    void onePeakThatDoesNotComeAgainIsForgotten() {
        Footprint footprint = Footprint.NONE.with(use(40 * GIB, 10));
        for (int i = 0; i < 600; i++) {
            footprint = footprint.with(use(GIB, 10));
        }

        assertThat(footprint.peakBytes()).isEqualTo(GIB);
        assertThat(footprint.tasks()).isEqualTo(601);
    }

    @Test
    void totalsAreInUnitsTimesSeconds() {
        Footprint footprint = Footprint.NONE.with(
                new ResourceUse(4 * GIB, 2, 100, GIB, GIB / 2, OptionalDouble.of(1.5), 64 * GIB, false));

        assertThat(footprint.totals()).isEqualTo(new Footprint.Totals(100, 400 * GIB, 100 * GIB, 50 * GIB, 200, 150));
    }

    @Test
    void whatIsNoFootprintIsRefused() {
        Footprint.Bucket bucket = new Footprint.Bucket(5, 1, 1);

        assertThatIllegalArgumentException().isThrownBy(() -> new Footprint.Bucket(-1, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Footprint.Bucket(1, 0, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Footprint(2, 0, 1, 1, 1, Footprint.NONE.totals(), List.of(bucket, bucket)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Footprint(1, 2, 1, 1, 1, Footprint.NONE.totals(), List.of(bucket)));
    }

    @Test
    void coarseProfileHasNoFootprintAndOthersDo() {
        TaskSample sample = Tasks.sample(Tasks.map("sort"), 0.5).using(Optional.of(use(GIB, 30)));
        ProfileRepository repository = new ProfileRepository(1);

        repository.record(sample);

        assertThat(repository.all()).isNotEmpty().allSatisfy(profile -> assertThat(
                        profile.footprint().tasks())
                .isEqualTo(profile.key().level().isCoarse() ? 0 : 1));
    }

    @Test
    void exhaustedTaskIsASampleOfNothingButItsMemory() {
        ProfileRepository repository = new ProfileRepository(1);
        TaskSample sample = Tasks.sample(Tasks.map("sort"), 0.5).using(Optional.of(use(GIB, 30)));
        ResourceUse exhausted = new ResourceUse(4 * GIB, 1, 1, 4 * GIB, GIB, OptionalDouble.empty(), 64 * GIB, true);
        repository.exhausted(sample.using(Optional.of(exhausted)));
        assertThat(repository.all()).isEmpty();
        repository.record(sample);

        repository.exhausted(sample.using(Optional.of(exhausted)));

        TaskProfile profile = repository.find(sample.task()).orElseThrow();
        assertThat(profile.samples()).isEqualTo(1);
        assertThat(profile.runTimeSeconds().mean()).isCloseTo(30, within(1e-9));
        assertThat(profile.footprint().exhausted()).isEqualTo(1);
        assertThat(profile.footprint().peakBytes()).isGreaterThan(4 * GIB);
    }

    private static ResourceUse use(double peak, double seconds) {
        return new ResourceUse(peak * 2, 1, seconds, peak, peak / 2, OptionalDouble.of(1), 64 * GIB, false);
    }
}
