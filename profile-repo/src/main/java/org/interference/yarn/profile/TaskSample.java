package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.interference.yarn.signal.InterferenceVector;

/**
 * One finished task as it was measured.
 *
 * @param mean its levels over the whole time observed
 * @param runTime the time observed
 */
public record TaskSample(TaskIdentity task, InterferenceVector mean, Duration runTime, Instant finishedAt) {
    public TaskSample {
        Objects.requireNonNull(task, "task is null");
        Objects.requireNonNull(mean, "mean is null");
        Objects.requireNonNull(runTime, "runTime is null");
        Objects.requireNonNull(finishedAt, "finishedAt is null");
    }
}
