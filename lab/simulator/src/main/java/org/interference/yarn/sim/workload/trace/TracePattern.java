package org.interference.yarn.sim.workload.trace;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
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
    private static final int MOST_LOADS = 100;

    public TracePattern {
        all = List.copyOf(all);
        if (all.isEmpty() || window < 1) {
            throw new IllegalArgumentException(
                    "a replay needs a job and a window of at least 1, got %d and %d".formatted(all.size(), window));
        }
    }

    /** Returns how many tasks a replay has at most. */
    public long mostTasks() {
        long tasks = 0;
        long most = 0;
        for (int i = 0; i < all.size(); i++) {
            tasks += scale.count(all.get(i).tasks());
            tasks -= i < window ? 0 : scale.count(all.get(i - window).tasks());
            most = Math.max(most, tasks);
        }
        return most;
    }

    /** Returns the load of each of at most {@link #MOST_LOADS} windows that are evenly spread over the trace, ascending. */
    public List<Double> loads(int slots) {
        int last = Math.max(0, all.size() - window);
        int count = Math.min(MOST_LOADS, last + 1);
        return IntStream.range(0, count)
                .map(i -> (int) ((long) i * last / Math.max(1, count - 1)))
                .mapToObj(first -> TraceScale.load(window(first), scale, slots))
                .sorted()
                .toList();
    }

    private List<SimJob> window(int first) {
        return all.subList(first, Math.min(all.size(), first + window));
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int first = all.size() > window ? random.nextInt(all.size() - window + 1) : 0;
        List<SimJob> replayed = window(first);
        return replayed.stream()
                .map(job -> scale.apply(job, replayed.get(0).submitted()))
                .toList();
    }
}
