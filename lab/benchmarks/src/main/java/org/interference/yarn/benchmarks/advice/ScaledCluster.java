package org.interference.yarn.benchmarks.advice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/**
 * A cluster whose nodes come and go, second by second. Tasks have one place each and start in the order in which they came; those that run are packed as well as
 * can be, so that nodes can go as soon as there are as many free places. A node that is asked for comes after the preparation time.
 */
final class ScaledCluster {
    static final int PLACES = 8;
    /** As in the published experiments. */
    static final int FEWEST_NODES = 3;

    private final int mostNodes;
    private final long preparationSeconds;
    private final Scaler scaler;

    private int nodes = FEWEST_NODES;
    private int leaving;
    private final Deque<Coming> coming = new ArrayDeque<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final PriorityQueue<Batch> running = new PriorityQueue<>(Comparator.comparingLong(Batch::end));
    private final Map<String, long[]> finished = new HashMap<>();
    private long taken;
    private long now;
    private long waitedSeconds;
    private long started;
    private long stagesWaitedSeconds;
    private long stagesStarted;
    private long nodeSeconds;

    private record Coming(long second, int nodes) {}

    private record Batch(SwimTasks.Stage stage, long tasks, long end) {}

    private static final class Waiting {
        private final SwimTasks.Stage stage;
        private long tasks;

        Waiting(SwimTasks.Stage stage) {
            this.stage = stage;
            this.tasks = stage.tasks();
        }
    }

    /**
     * Decides how many nodes there are to be.
     */
    interface Scaler {
        Decision decide(View view);
    }

    /**
     * A decision.
     *
     * @param change nodes more, or fewer if below 0
     * @param againSeconds when to decide again
     */
    record Decision(int change, long againSeconds) {}

    /**
     * Tasks that run or wait.
     *
     * @param seconds how long they will take, or take from now on; empty if no task of their kind has finished
     */
    record Known(long tasks, OptionalDouble seconds) {}

    /** What a scaler sees: {@code coming} nodes are not among {@code nodes}, and neither are leaving ones. */
    record View(long now, int nodes, int coming, long free, List<Known> running, List<Known> waiting) {}

    /**
     * What came of it.
     *
     * @param taskWaitSeconds mean time from when a task is there until it starts
     * @param stageWaitSeconds the same of the first task of each stage of a job
     */
    record Outcome(double taskWaitSeconds, double stageWaitSeconds, double nodeHours, double hours) {}

    ScaledCluster(int mostNodes, long preparationSeconds, Scaler scaler) {
        this.mostNodes = mostNodes;
        this.preparationSeconds = preparationSeconds;
        this.scaler = scaler;
    }

    /** Lives until all have finished; once only. */
    Outcome run(List<SwimTasks.Stage> stages) {
        int next = 0;
        long decideAt = 0;
        while (next < stages.size() || !waiting.isEmpty() || !running.isEmpty()) {
            while (!coming.isEmpty() && coming.peek().second() <= now) {
                nodes += coming.remove().nodes();
            }
            finish();
            while (next < stages.size() && stages.get(next).second() <= now) {
                waiting.add(new Waiting(stages.get(next++)));
            }
            letGo();
            start();
            if (now >= decideAt) {
                Decision decision = scaler.decide(view());
                decideAt = now + decision.againSeconds();
                scale(decision.change());
            }
            nodeSeconds += nodes;
            now++;
        }
        return new Outcome(
                (double) waitedSeconds / started,
                (double) stagesWaitedSeconds / stagesStarted,
                nodeSeconds / 3600.0,
                now / 3600.0);
    }

    private void finish() {
        while (!running.isEmpty() && running.peek().end() <= now) {
            Batch batch = running.remove();
            taken -= batch.tasks();
            long[] sums = finished.computeIfAbsent(batch.stage().kind(), first -> new long[2]);
            sums[0] += batch.tasks();
            sums[1] += batch.tasks() * batch.stage().seconds();
        }
    }

    private void letGo() {
        int going = (int) Math.min(leaving, ((long) nodes * PLACES - taken) / PLACES);
        nodes -= going;
        leaving -= going;
    }

    private long free() {
        return Math.max(0, (long) (nodes - leaving) * PLACES - taken);
    }

    private void start() {
        long free = free();
        while (!waiting.isEmpty() && free > 0) {
            Waiting first = waiting.peek();
            long tasks = Math.min(free, first.tasks);
            if (first.tasks == first.stage.tasks()) {
                stagesWaitedSeconds += now - first.stage.second();
                stagesStarted++;
            }
            running.add(new Batch(first.stage, tasks, now + first.stage.seconds()));
            taken += tasks;
            free -= tasks;
            waitedSeconds += tasks * (now - first.stage.second());
            started += tasks;
            first.tasks -= tasks;
            if (first.tasks == 0) {
                waiting.remove();
            }
        }
    }

    private View view() {
        List<Known> runs = new ArrayList<>();
        for (Batch batch : running) {
            OptionalDouble whole = mean(batch.stage().kind());
            long age = now - (batch.end() - batch.stage().seconds());
            runs.add(new Known(
                    batch.tasks(),
                    whole.isEmpty() ? whole : OptionalDouble.of(Math.max(0, whole.getAsDouble() - age))));
        }
        List<Known> waits = new ArrayList<>();
        waiting.forEach(some -> waits.add(new Known(some.tasks, mean(some.stage.kind()))));
        return new View(now, nodes - leaving, comingNodes(), free(), runs, waits);
    }

    private OptionalDouble mean(String kind) {
        long[] sums = finished.get(kind);
        return sums == null ? OptionalDouble.empty() : OptionalDouble.of((double) sums[1] / sums[0]);
    }

    private int comingNodes() {
        return coming.stream().mapToInt(Coming::nodes).sum();
    }

    private void scale(int change) {
        if (change < 0) {
            leaving = Math.min(leaving - change, nodes - FEWEST_NODES);
            return;
        }
        int kept = Math.min(leaving, change);
        leaving -= kept;
        int more = Math.min(change - kept, mostNodes - nodes - comingNodes());
        if (more > 0) {
            coming.add(new Coming(now + preparationSeconds, more));
        }
    }
}
