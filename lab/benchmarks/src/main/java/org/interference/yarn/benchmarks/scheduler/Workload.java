package org.interference.yarn.benchmarks.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/** Twenty kinds of task: what each of them uses, and how nodes report it. */
final class Workload {
    static final int KINDS = 20;
    /** What each task is given: memory in MB, and cores. */
    static final Resource SLOT = Resource.newInstance(1024, 1);

    /** A node that is full of tasks that use all of it has no room left to be unlike another. */
    private static final double LARGEST_SHARE = 0.25;

    private static final double NOISE = 0.2;

    private Workload() {}

    /** Returns the name of the applications of one kind; digits would not tell kinds apart. */
    static String name(int kind) {
        return "kind-" + (char) ('a' + kind);
    }

    static String queue(int kind) {
        return "root." + Family.QUEUES.get(kind % Family.QUEUES.size());
    }

    /** Returns what a task of {@code kind} uses, each time a little otherwise. */
    static InterferenceVector levels(int kind, Random noise) {
        Random random = new Random(1000L + kind);
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            // Few resources in full, most of them hardly.
            double level = Math.pow(random.nextDouble(), 3) * LARGEST_SHARE;
            levels.put(signal, level * (1 + NOISE * (noise.nextDouble() - 0.5)));
        }
        return new InterferenceVector(levels);
    }

    /**
     * Returns the report number {@code sequence} of a node on which {@code containers} of these kinds run.
     *
     * @param since when each of them began
     * @param ended those of them that have ended
     * @param figures what the node says of itself
     */
    static NodeReport report(
            List<ContainerId> containers,
            List<Integer> kinds,
            List<Instant> since,
            Set<ContainerId> ended,
            long sequence,
            Instant now,
            NodeFigures figures) {
        List<ContainerReport> reports = new ArrayList<>(containers.size());
        for (int i = 0; i < containers.size(); i++) {
            Random noise = new Random(31L * containers.get(i).getContainerId() + sequence);
            Map<Signal, Reading> readings = new EnumMap<>(Signal.class);
            levels(kinds.get(i), noise)
                    .levels()
                    .forEach((signal, level) ->
                            readings.put(signal, new Reading.Measured(level, level, level, false, "proc")));
            reports.add(new ContainerReport(
                    containers.get(i).toString(),
                    Duration.between(since.get(i), now),
                    ended.contains(containers.get(i)),
                    readings));
        }
        return new NodeReport(1, sequence, now, reports, figures);
    }
}
