package org.interference.yarn.benchmarks.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Outcome;
import org.interference.yarn.benchmarks.advice.ScaledCluster.Scaler;

/** Node-hours and waiting under the advice, under the algorithm as it is printed, and under plain thresholds. */
final class ScalingPart {
    /** What is published of Google's Kubernetes Engine: 157.4 s, with a standard deviation of 4.2 s. */
    private static final long PREPARATION_SECONDS = 157;

    private static final List<Long> OTHER_PREPARATIONS = List.of(60L, 600L);
    private static final int MOST_NODES = 100;
    private static final int[] THRESHOLDS = {5, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 95};

    private ScalingPart() {}

    static void measure(List<SwimTasks.Stage> stages, Results results) {
        results.put("tasks", stages.stream().mapToLong(SwimTasks.Stage::tasks).sum());
        results.put("preparation_s", PREPARATION_SECONDS);
        compare(stages, PREPARATION_SECONDS, results);
        for (long preparation : OTHER_PREPARATIONS) {
            compare(stages, preparation, results.under("preparation_%d_s".formatted(preparation)));
        }
    }

    private static void compare(List<SwimTasks.Stage> stages, long preparation, Results results) {
        Outcome advised = run(stages, preparation, Scalers.advised(preparation));
        put(results.under("advised"), advised);
        put(results.under("as_printed"), run(stages, preparation, Scalers.asPrinted(preparation)));
        List<Outcome> thresholds = new ArrayList<>();
        for (int percent : THRESHOLDS) {
            Outcome outcome = run(stages, preparation, Scalers.threshold(percent / 100.0));
            thresholds.add(outcome);
            put(results.under("threshold_%d".formatted(percent)), outcome);
        }
        results.put("node_hours_vs_threshold", ratio(advised, thresholds, Outcome::taskWaitSeconds));
        results.put("node_hours_vs_threshold_by_stages", ratio(advised, thresholds, Outcome::stageWaitSeconds));
    }

    private static Outcome run(List<SwimTasks.Stage> stages, long preparation, Scaler scaler) {
        return new ScaledCluster(MOST_NODES, preparation, scaler).run(stages);
    }

    private static void put(Results results, Outcome outcome) {
        results.put("task_wait_s", outcome.taskWaitSeconds());
        results.put("stage_wait_s", outcome.stageWaitSeconds());
        results.put("node_hours", outcome.nodeHours());
        results.put("hours", outcome.hours());
    }

    /**
     * Returns what the advice takes of what thresholds would take to have tasks wait as long: the least of any threshold under which they wait no longer, and of any two
     * used in turn so that the mean is the same. Where they wait longer under every threshold, it is compared with the one of the shortest waiting.
     */
    static double ratio(Outcome advised, List<Outcome> thresholds, ToDoubleFunction<Outcome> wait) {
        double shortest = thresholds.stream().mapToDouble(wait).min().orElseThrow();
        double at = Math.max(shortest, wait.applyAsDouble(advised));
        double least = Double.POSITIVE_INFINITY;
        for (Outcome one : thresholds) {
            for (Outcome other : thresholds) {
                double low = wait.applyAsDouble(one);
                double high = wait.applyAsDouble(other);
                if (low <= at) {
                    least = Math.min(least, one.nodeHours());
                    double share = high > at ? (at - low) / (high - low) : 0;
                    least = Math.min(least, one.nodeHours() + share * (other.nodeHours() - one.nodeHours()));
                }
            }
        }
        return advised.nodeHours() / least;
    }
}
