package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RunTimesAloneTest {
    private static RunTimesAlone after(RunTimesAlone before, int runs, double seconds) {
        RunTimesAlone after = before;
        Random random = new Random(1);
        for (int i = 0; i < runs; i++) {
            after = after.with(seconds * (1 + 0.02 * random.nextGaussian()));
        }
        return after;
    }

    private static double variation(RunTimesAlone runs) {
        return runs.times().deviation() / runs.times().mean();
    }

    @Test
    void meanAndDeviationOfTheFirstAreExact() {
        RunTimesAlone three = RunTimesAlone.NEVER.with(1).with(2).with(6);

        assertThat(three.runs()).isEqualTo(3);
        assertThat(three.times().mean()).isCloseTo(3, within(1e-12));
        assertThat(three.times().deviation()).isCloseTo(Math.sqrt(7), within(1e-12));
    }

    /** However many runs there were before. */
    @Test
    void kindThatTakesLongerIsKnownAnewAfterSomeHundredRuns() {
        for (int before : new int[] {30, 1000, 100_000}) {
            RunTimesAlone changed = after(after(RunTimesAlone.NEVER, before, 100), 300, 150);

            assertThat(changed.times().mean()).as("after %d", before).isCloseTo(150, within(2.0));
            assertThat(variation(changed)).isLessThan(0.1);
        }
    }

    @Test
    void oneRunThatWentWrongIsForgotten() {
        RunTimesAlone wrong = after(RunTimesAlone.NEVER, 200, 100).with(10);
        assertThat(variation(wrong)).isGreaterThan(0.1);

        assertThat(variation(after(wrong, 64, 100))).isLessThan(0.1);
    }

    /** As an earlier version kept them. */
    @Test
    void moreRunsThanAreKeptNowAreOfTheSameVariance() {
        RunTimesAlone kept = new RunTimesAlone(10_000, 100, 10_000 * 25.0);

        RunTimesAlone next = kept.with(100);

        assertThat(next.runs()).isEqualTo(64);
        assertThat(next.times().deviation()).isCloseTo(5, within(0.1));
    }
}
