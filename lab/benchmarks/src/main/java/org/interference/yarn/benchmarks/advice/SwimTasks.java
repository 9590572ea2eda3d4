package org.interference.yarn.benchmarks.advice;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.workload.trace.KindInference;
import org.interference.yarn.sim.workload.trace.TraceException;
import org.interference.yarn.sim.workload.trace.TraceFormat;

/** The jobs of a SWIM trace, as tasks to run. */
final class SwimTasks {
    private SwimTasks() {}

    /**
     * Tasks of one job that are alike. Immutable.
     *
     * @param kind what tasks of the same application and stage have in common
     * @param second when they are there, since the beginning
     * @param seconds how long each runs, at least one
     */
    record Stage(String kind, long second, long tasks, long seconds) {}

    /** Returns all stages, in the order of their jobs; a job's are there at once. */
    static List<Stage> read(Path file) throws TraceException {
        List<Stage> stages = new ArrayList<>();
        for (SimJob job : TraceFormat.SWIM.read(file, KindInference.USUAL).jobs()) {
            Map<SimTask, Long> counts = new LinkedHashMap<>();
            job.tasks().forEach(task -> counts.merge(task, 1L, Long::sum));
            int stage = 0;
            for (Map.Entry<SimTask, Long> tasks : counts.entrySet()) {
                stages.add(new Stage(
                        "%s/%d".formatted(job.name(), stage++),
                        job.submitted().toSeconds(),
                        tasks.getValue(),
                        Math.max(1, Math.round(tasks.getKey().solo().toMillis() / 1000.0))));
            }
        }
        return stages;
    }
}
