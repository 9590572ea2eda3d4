package org.interference.yarn.advice;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;

/** How a framework is told how large its containers are to be. */
final class FrameworkSettings {
    private static final String MAPREDUCE = "mapreduce";
    private static final String SPARK = "spark";

    /** MapReduce's own {@code mapreduce.job.heap.memory-mb.ratio}. */
    private static final double HEAP_SHARE = 0.8;

    /** Spark's own {@code spark.executor.memoryOverheadFactor}. */
    private static final double OVERHEAD_FACTOR = 0.1;
    /** Spark adds no less. */
    private static final long LEAST_OVERHEAD_MB = 384;
    /** Spark starts no executor with less heap. */
    private static final long LEAST_EXECUTOR_MB = 450;

    private FrameworkSettings() {}

    /**
     * Returns the settings with which containers of this kind have {@code memoryMb}, by name; none for a framework that is not known. Spark's own
     * master has none: whether it is the driver is not known.
     */
    static Map<String, String> of(TaskKey key, long memoryMb) {
        String role = key.role().orElse("");
        Optional<String> type = key.type();
        if (isOf(type, MAPREDUCE) && (role.equals("map") || role.equals("reduce"))) {
            return javaTask(
                    "mapreduce.%s.memory.mb".formatted(role), "mapreduce.%s.java.opts".formatted(role), memoryMb);
        }
        if (type.filter(MAPREDUCE::equals).isPresent() && role.equals(TaskIdentity.MASTER)) {
            return javaTask("yarn.app.mapreduce.am.resource.mb", "yarn.app.mapreduce.am.command-opts", memoryMb);
        }
        return isOf(type, SPARK) && role.startsWith(TaskIdentity.EXECUTOR) ? executor(memoryMb) : Map.of();
    }

    /** A tag's key does not say what its application is, but the role does. */
    private static boolean isOf(Optional<String> type, String framework) {
        return type.isEmpty() || type.get().equals(framework);
    }

    private static Map<String, String> javaTask(String memory, String options, long memoryMb) {
        return new TreeMap<>(
                Map.of(memory, Long.toString(memoryMb), options, "-Xmx%dm".formatted((long) (memoryMb * HEAP_SHARE))));
    }

    /** Heap and overhead that together are what is asked for; nothing for what Spark would ask more than. */
    private static Map<String, String> executor(long memoryMb) {
        if (memoryMb < LEAST_EXECUTOR_MB + LEAST_OVERHEAD_MB) {
            return Map.of();
        }
        long overhead = Math.max(LEAST_OVERHEAD_MB, (long) Math.ceil(memoryMb - memoryMb / (1 + OVERHEAD_FACTOR)));
        long heap = Math.max(LEAST_EXECUTOR_MB, memoryMb - overhead);
        return new TreeMap<>(Map.of(
                "spark.executor.memory", "%dm".formatted(heap),
                "spark.executor.memoryOverhead", "%dm".formatted(overhead)));
    }
}
