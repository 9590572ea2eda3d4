package org.interference.yarn.capacity;

import java.util.Optional;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/** How much memory tasks of one kind use, as it was measured. Immutable; MiB. */
public final class KindMemory {
    private final double meanMb;
    private final double deviationMb;
    private final double highMb;
    private final long tasks;
    /** Asked for of every container, and worked out by powers. */
    private final Optional<Peak> peak;

    /**
     * @param meanMb of a task, {@code >= 0}
     * @param deviationMb standard deviation of a task's mean from task to task, {@code >= 0}
     * @param highMb the highest that any of {@code tasks} tasks was seen to use
     * @param tasks that this stands on
     */
    public KindMemory(double meanMb, double deviationMb, double highMb, long tasks) {
        if (!isAmount(meanMb) || !isAmount(deviationMb) || !isAmount(highMb) || tasks < 0) {
            throw new IllegalArgumentException(
                    "memory is finite and >= 0, got mean %s, deviation %s, high %s of %d tasks"
                            .formatted(meanMb, deviationMb, highMb, tasks));
        }
        this.meanMb = meanMb;
        this.deviationMb = deviationMb;
        this.highMb = highMb;
        this.tasks = tasks;
        this.peak = Peak.of(meanMb, deviationMb, highMb, tasks);
    }

    /** Returns the mean of a task. */
    public double meanMb() {
        return meanMb;
    }

    /** Returns the standard deviation of a task's mean from task to task. */
    public double deviationMb() {
        return deviationMb;
    }

    /** Returns the highest that any of {@link #tasks} tasks was seen to use. */
    public double highMb() {
        return highMb;
    }

    /** Returns how many tasks this stands on. */
    public long tasks() {
        return tasks;
    }

    /** Returns the peak of one of them; empty of too few. */
    Optional<Peak> peak() {
        return peak;
    }

    /**
     * Returns what is known of a kind by its profile; empty if its memory was never measured.
     *
     * @param mb as a level of 1 in the profile, MiB
     */
    public static Optional<KindMemory> of(TaskProfile profile, double mb) {
        Averages memory = profile.signals().getOrDefault(Signal.MEM, Averages.NONE);
        return memory.count() == 0
                ? Optional.empty()
                : Optional.of(new KindMemory(
                        memory.mean() * mb, memory.deviation() * mb, memory.peak() * mb, memory.count()));
    }

    private static boolean isAmount(double mb) {
        return mb >= 0 && mb <= Double.MAX_VALUE;
    }
}
