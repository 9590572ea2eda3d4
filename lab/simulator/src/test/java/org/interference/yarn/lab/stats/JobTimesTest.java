package org.interference.yarn.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobTimesTest {
    private static final JobTimes LONG = new JobTimes(100, 110, 200);
    private static final JobTimes SHORT = new JobTimes(130, 131, 150);
    private static final JobTimes NEVER_ENDED = new JobTimes(90, 400, Double.NaN);
    private static final JobTimes NEVER_SUBMITTED = new JobTimes(Double.NaN, Double.NaN, Double.NaN);

    @Test
    void theMakespanIsFromTheFirstSubmissionToTheLastEnd() {
        assertThat(JobTimes.makespan(List.of(SHORT, LONG))).isEqualTo(100);
    }

    @Test
    void whatNeverEndedBeganTheMakespanAndEndsItNot() {
        assertThat(JobTimes.makespan(List.of(LONG, NEVER_ENDED, NEVER_SUBMITTED)))
                .isEqualTo(110);
    }

    @Test
    void whereNothingEndedThereIsNoMakespan() {
        assertThatIllegalArgumentException().isThrownBy(() -> JobTimes.makespan(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> JobTimes.makespan(List.of(NEVER_ENDED, NEVER_SUBMITTED)));
    }

    @Test
    void turnaroundsAreOfWhatEnded() {
        assertThat(JobTimes.turnarounds(List.of(LONG, NEVER_ENDED, SHORT, NEVER_SUBMITTED)))
                .containsExactly(20, 100);
    }

    @Test
    void whoWaitedLongOrNeverStartedIsStarved() {
        assertThat(LONG.waited()).isEqualTo(10);
        assertThat(LONG.isStarved()).isFalse();
        assertThat(new JobTimes(0, JobTimes.STARVED_SECONDS, 301).isStarved()).isFalse();
        assertThat(NEVER_ENDED.isStarved()).isTrue();
        assertThat(NEVER_SUBMITTED.isStarved()).isTrue();
    }

    @Test
    void densityIsWhatWasUsedOfWhatThereWas() {
        // 150 slot-seconds of 4 slots for 100 s.
        assertThat(JobTimes.density(150, 4, 100)).isEqualTo(0.375);
        assertThatIllegalArgumentException().isThrownBy(() -> JobTimes.density(0, 4, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> JobTimes.density(1, 0, 100));
    }
}
