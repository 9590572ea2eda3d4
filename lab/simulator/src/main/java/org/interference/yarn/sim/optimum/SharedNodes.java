package org.interference.yarn.sim.optimum;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;

/** Equal nodes and their tasks at one moment: which tasks wait, run and are done. Immutable. */
final class SharedNodes {
    private static final int NOWHERE = -1;
    /** What floating point leaves over, in seconds. */
    private static final double INSTANT = 1e-9;

    private final GroundTruth truth;
    private final List<KnownTask> tasks;
    private final int nodes;
    private final double now;
    private final int[] where;
    private final double[] done;
    private final double[] started;
    private final double[] finished;

    private SharedNodes(SharedNodes before, double now) {
        this.truth = before.truth;
        this.tasks = before.tasks;
        this.nodes = before.nodes;
        this.now = now;
        this.where = before.where.clone();
        this.done = before.done.clone();
        this.started = before.started.clone();
        this.finished = before.finished.clone();
    }

    private SharedNodes(GroundTruth truth, List<KnownTask> tasks, int nodes) {
        this.truth = truth;
        this.tasks = tasks;
        this.nodes = nodes;
        this.now = 0;
        this.where = new int[tasks.size()];
        Arrays.fill(where, NOWHERE);
        this.done = new double[tasks.size()];
        this.started = new double[tasks.size()];
        this.finished = new double[tasks.size()];
        Arrays.fill(finished, Double.NaN);
    }

    /** Returns the nodes before anything has started. */
    static SharedNodes empty(GroundTruth truth, List<KnownTask> tasks, int nodes) {
        return new SharedNodes(truth, tasks, nodes);
    }

    double now() {
        return now;
    }

    boolean waits(int task) {
        return where[task] == NOWHERE && tasks.get(task).submitted() <= now + INSTANT;
    }

    /** Returns the seconds that a task would still take alone. */
    double left(int task) {
        return tasks.get(task).work() - done[task];
    }

    boolean isDone() {
        return Arrays.stream(finished).noneMatch(Double::isNaN);
    }

    int running(int node) {
        return (int) runningTasks(node).count();
    }

    private IntStream runningTasks(int node) {
        return IntStream.range(0, tasks.size()).filter(task -> where[task] == node && Double.isNaN(finished[task]));
    }

    /** Returns the nodes, of those on which nothing runs the first one only. */
    List<Integer> different() {
        List<Integer> different = new ArrayList<>();
        boolean empty = false;
        for (int node = 0; node < nodes; node++) {
            boolean idle = running(node) == 0;
            if (!idle || !empty) {
                different.add(node);
            }
            empty |= idle;
        }
        return different;
    }

    /** Returns the same moment, with a task started. */
    SharedNodes with(int task, int node) {
        SharedNodes next = new SharedNodes(this, now);
        next.where[task] = node;
        next.started[task] = now;
        return next;
    }

    /** Returns the moment at which the next task ends or is submitted; this one if nothing will happen any more. */
    SharedNodes untilNextEvent() {
        SharedNodes moment = this;
        while (true) {
            double[] slowdowns = moment.slowdowns();
            double step = moment.secondsToChange(slowdowns);
            if (Double.isInfinite(step)) {
                return this;
            }
            SharedNodes next = new SharedNodes(moment, moment.now + step);
            if (next.run(step, slowdowns) || next.isSubmission(moment)) {
                return next;
            }
            moment = next;
        }
    }

    private boolean isSubmission(SharedNodes before) {
        return IntStream.range(0, tasks.size()).anyMatch(task -> waits(task) && !before.waits(task));
    }

    /** Lets running tasks run, and returns whether one has ended. */
    private boolean run(double seconds, double[] slowdowns) {
        boolean ended = false;
        for (int task = 0; task < where.length; task++) {
            if (slowdowns[task] == 0) {
                continue;
            }
            double work = tasks.get(task).work();
            done[task] += seconds / slowdowns[task];
            for (double phase : truth.phaseEnds()) {
                done[task] = Math.abs(done[task] - phase * work) < INSTANT ? phase * work : done[task];
            }
            if (done[task] > work - INSTANT) {
                done[task] = work;
                finished[task] = now;
                ended = true;
            }
        }
        return ended;
    }

    /** Returns the slowdown of each task that runs, and 0 of any other. */
    private double[] slowdowns() {
        double[] slowdowns = new double[where.length];
        for (int node = 0; node < nodes; node++) {
            int[] together = runningTasks(node).toArray();
            double[] told = truth.slowdowns(Arrays.stream(together)
                    .mapToObj(task -> new Load(
                            tasks.get(task).application(),
                            tasks.get(task).kind(),
                            done[task] / tasks.get(task).work()))
                    .toList());
            for (int i = 0; i < together.length; i++) {
                slowdowns[together[i]] = told[i];
            }
        }
        return slowdowns;
    }

    private double secondsToChange(double[] slowdowns) {
        double least = Double.POSITIVE_INFINITY;
        for (int task = 0; task < where.length; task++) {
            KnownTask known = tasks.get(task);
            if (slowdowns[task] > 0) {
                double next = known.work();
                for (double phase : truth.phaseEnds()) {
                    next = phase * known.work() > done[task] ? Math.min(next, phase * known.work()) : next;
                }
                least = Math.min(least, (next - done[task]) * slowdowns[task]);
            } else if (known.submitted() > now + INSTANT) {
                least = Math.min(least, known.submitted() - now);
            }
        }
        return least;
    }

    /** Returns when each task ran, once all are done. */
    Schedule schedule() {
        return new Schedule(IntStream.range(0, tasks.size())
                .mapToObj(task -> new Schedule.Times(where[task], started[task], finished[task]))
                .toList());
    }
}
