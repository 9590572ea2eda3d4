package org.interference.yarn.capacity;

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

    private static boolean isAmount(double mb) {
        return mb >= 0 && mb <= Double.MAX_VALUE;
    }
}
