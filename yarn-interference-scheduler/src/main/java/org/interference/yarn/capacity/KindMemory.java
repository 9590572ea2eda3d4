package org.interference.yarn.capacity;

import java.util.Optional;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/**
 * How much memory tasks of one kind use, as it was measured. Immutable; MiB.
 *
 * @param meanMb of a task, {@code >= 0}
 * @param deviationMb standard deviation of a task's mean from task to task, {@code >= 0}
 * @param highMb the highest that any of {@code tasks} tasks was seen to use
 * @param tasks that this stands on
 */
public record KindMemory(double meanMb, double deviationMb, double highMb, long tasks) {
    public KindMemory {
        if (!isAmount(meanMb) || !isAmount(deviationMb) || !isAmount(highMb) || tasks < 0) {
            throw new IllegalArgumentException(
                    "memory is finite and >= 0, got mean %s, deviation %s, high %s of %d tasks"
                            .formatted(meanMb, deviationMb, highMb, tasks));
        }
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
