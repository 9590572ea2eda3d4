package org.interference.yarn.sim.optimum;

import java.util.Comparator;
import java.util.List;
import org.interference.yarn.sim.world.GroundTruth;

/**
 * The shortest makespan of a few tasks on a few equal nodes, by search of every schedule that starts tasks when one is submitted or one
 * ends. Everything is known beforehand and nobody's fairness counts: it is what is possible, not what a scheduler could know. A branch ends
 * where it cannot become shorter than the best that is known: every task still needs as long as alone at least, and all of them together
 * as long as all slots take for their work. Not thread-safe; the answer depends on the arguments alone.
 */
public final class Optimum {
    /** More take longer than anybody waits: with two nodes of two slots seven take a second, and each further one ten times that. */
    public static final int MOST_TASKS = 8;

    private static final double ROUNDING = 1e-9;

    private final List<KnownTask> tasks;
    private final int slotsPerNode;
    private final int slots;
    private Schedule best;

    private Optimum(List<KnownTask> tasks, int nodes, int slotsPerNode) {
        this.tasks = tasks;
        this.slotsPerNode = slotsPerNode;
        this.slots = nodes * slotsPerNode;
    }

    /**
     * Returns a schedule of the least makespan, the times of each task in the order of {@code tasks}.
     *
     * @param tasks one to {@link #MOST_TASKS}
     * @throws IllegalArgumentException if there are none or more
     */
    public static Schedule of(GroundTruth truth, List<KnownTask> tasks, int nodes, int slotsPerNode) {
        if (tasks.isEmpty() || tasks.size() > MOST_TASKS) {
            throw new IllegalArgumentException(
                    "the optimum is found of 1 to %d tasks, not of %d".formatted(MOST_TASKS, tasks.size()));
        }
        // Long ones first: the first schedule that is tried is a good one.
        List<KnownTask> longestFirst = tasks.stream()
                .sorted(Comparator.comparingDouble(KnownTask::work).reversed())
                .toList();
        Optimum search = new Optimum(longestFirst, nodes, slotsPerNode);
        search.start(SharedNodes.empty(truth, longestFirst, nodes), 0);
        Schedule found = search.best;
        return new Schedule(tasks.stream()
                .map(task -> found.times().get(longestFirst.indexOf(task)))
                .toList());
    }

    /** Starts any of the tasks from {@code from} on that wait, on any node, or leaves them; then lets all run until that can be asked again. */
    private void start(SharedNodes nodes, int from) {
        if (best != null && bound(nodes) >= best.makespan() - ROUNDING) {
            return;
        }
        for (int task = from; task < tasks.size(); task++) {
            if (!nodes.waits(task) || isTwinOfOneThatWasLeft(nodes, task)) {
                continue;
            }
            for (int node : nodes.different()) {
                if (nodes.running(node) < slotsPerNode) {
                    start(nodes.with(task, node), task + 1);
                }
            }
        }
        goOn(nodes);
    }

    /** Of two tasks that are alike the first is started first. */
    private boolean isTwinOfOneThatWasLeft(SharedNodes nodes, int task) {
        for (int other = 0; other < task; other++) {
            if (nodes.waits(other) && tasks.get(other).isLike(tasks.get(task))) {
                return true;
            }
        }
        return false;
    }

    private void goOn(SharedNodes nodes) {
        SharedNodes next = nodes.untilNextEvent();
        if (next == nodes) {
            return;
        }
        if (next.isDone()) {
            Schedule schedule = next.schedule();
            if (best == null || schedule.makespan() < best.makespan()) {
                best = schedule;
            }
            return;
        }
        start(next, 0);
    }

    private double bound(SharedNodes nodes) {
        double longest = nodes.now();
        double work = 0;
        for (int task = 0; task < tasks.size(); task++) {
            double left = nodes.left(task);
            work += left;
            longest = Math.max(longest, Math.max(nodes.now(), tasks.get(task).submitted()) + left);
        }
        return Math.max(longest, nodes.now() + work / slots);
    }
}
