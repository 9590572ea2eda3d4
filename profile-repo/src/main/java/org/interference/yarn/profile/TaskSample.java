package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;

/**
 * One finished task as it was measured, or a part of one that lives long. Immutable.
 *
 * @param mean its levels over the whole time observed, or over that part of it
 * @param peak its highest levels over any sampling window that was seen; a signal may be missing
 * @param runTime the time observed; empty while the task runs
 * @param finishedAt when it, or the part, was over
 * @param launch what it was launched as
 * @param use what it was given and used; empty while it runs, and where its memory was not measured
 */
public record TaskSample(
        TaskIdentity task,
        InterferenceVector mean,
        InterferenceVector peak,
        Optional<Duration> runTime,
        Instant finishedAt,
        Optional<LaunchSignature> launch,
        Company company,
        Optional<ResourceUse> use) {
    public TaskSample {
        Objects.requireNonNull(task, "task is null");
        Objects.requireNonNull(mean, "mean is null");
        Objects.requireNonNull(peak, "peak is null");
        Objects.requireNonNull(runTime, "runTime is null");
        Objects.requireNonNull(finishedAt, "finishedAt is null");
        Objects.requireNonNull(launch, "launch is null");
        Objects.requireNonNull(company, "company is null");
        Objects.requireNonNull(use, "use is null");
    }

    /** A sample of which it is not known what it was given. */
    public TaskSample(
            TaskIdentity task,
            InterferenceVector mean,
            InterferenceVector peak,
            Optional<Duration> runTime,
            Instant finishedAt,
            Optional<LaunchSignature> launch,
            Company company) {
        this(task, mean, peak, runTime, finishedAt, launch, company, Optional.empty());
    }

    /** Returns this sample with what it was given and used. */
    public TaskSample using(Optional<ResourceUse> known) {
        return new TaskSample(task, mean, peak, runTime, finishedAt, launch, company, known);
    }

    /** A finished task of which nothing else is known. */
    public TaskSample(TaskIdentity task, InterferenceVector mean, Duration runTime, Instant finishedAt) {
        this(task, mean, InterferenceVector.EMPTY, Optional.of(runTime), finishedAt, Optional.empty(), Company.UNKNOWN);
    }
}
