package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final Yarn.Capacity CAPACITY = new Yarn.Capacity(2, 10, 100);

    @Test
    void figuresAreThePublishedOnes() {
        // Neither the first to be submitted is the last to end, nor does every job succeed or have an application.
        Result result = of(
                job(application(1, 20_000, 60_000, "SUCCEEDED")),
                job(application(2, 10_000, 30_000, "FAILED")),
                job(application(3, 40_000, 70_000, "SUCCEEDED"), application(4, 80_000, 110_000, "SUCCEEDED")),
                job());

        // 110 - 10.
        assertThat(result.makespanSeconds()).hasValue(100);
        // Of 40, 20 and 110 - 40.
        assertThat(result.meanTurnaroundSeconds()).hasValue(130.0 / 3);
        // Four applications of 50 vcore-seconds, on 10 vcores for 100 s.
        assertThat(result.density()).hasValue(0.2);
    }

    @Test
    void whereNothingEndedThereAreNoFigures() {
        Result result = of(job());

        assertThat(result.makespanSeconds()).isEmpty();
        assertThat(result.meanTurnaroundSeconds()).isEmpty();
        assertThat(result.density()).isEmpty();
    }

    private static Result of(JobRun... jobs) {
        return new Result("run", 0, List.of(jobs), Optional.of(CAPACITY), false, Optional.empty());
    }

    private static JobRun job(Application... applications) {
        JobRun job = new JobRun(new Submission(0, Duration.ZERO, Jobs.of("job")));
        job.wasSubmitted(1);
        List.of(applications).forEach(job::seen);
        job.lookedAt();
        return job;
    }

    private static Application application(int number, long submitted, long ended, String status) {
        return new Application(
                "application_1_%04d".formatted(number),
                "",
                "default",
                "FINISHED",
                status,
                submitted,
                submitted + 1000,
                ended,
                ended - submitted,
                50,
                500,
                "",
                List.of());
    }
}
