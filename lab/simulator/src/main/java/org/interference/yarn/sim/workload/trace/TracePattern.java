package org.interference.yarn.sim.workload.trace;

import java.util.List;
import java.util.random.RandomGenerator;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.SimJob;

/**
 * The replay of a trace, or of a part of it. Immutable.
 *
 * <p>Of a trace that is longer than {@code window}, each seed replays that many consecutive jobs, from a place that it draws.
 * So seeds differ in their jobs; with a window of the whole trace they differ in the world's noise alone.
 *
 * @param window most jobs to replay, positive
 */
public record TracePattern(String name, List<SimJob> all, int window, TraceScale scale) implements Pattern {
    public TracePattern {
        all = List.copyOf(all);
        if (all.isEmpty() || window < 1) {
            throw new IllegalArgumentException(
                    "a replay needs a job and a window of at least 1, got %d and %d".formatted(all.size(), window));
        }
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int first = all.size() > window ? random.nextInt(all.size() - window + 1) : 0;
        List<SimJob> replayed = all.subList(first, Math.min(all.size(), first + window));
        return replayed.stream()
                .map(job -> scale.apply(job, replayed.get(0).submitted()))
                .toList();
    }
}
