package org.interference.yarn.sim.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;

/** One job while it runs: which of its tasks still wait, by kind in the order of the job. Not thread-safe. */
final class SimulatedJob {
    private final int index;
    private final SimJob job;
    private final String toldName;
    private final ApplicationAttemptId attempt;
    /** Position of a kind: the priority that its containers are asked at. */
    private final List<String> kinds;

    private final Map<String, Deque<Waiting>> waiting = new LinkedHashMap<>();
    private final Map<String, TaskIdentity> identities = new HashMap<>();
    private int unfinished;
    private double firstStart = Double.NaN;
    private double lastFinish = Double.NaN;

    /** @param number of the task in its job */
    record Waiting(int number, SimTask task) {}

    /** @param toldName what YARN is told that its name is */
    SimulatedJob(int index, SimJob job, String toldName, ApplicationAttemptId attempt) {
        this.index = index;
        this.job = job;
        this.toldName = toldName;
        this.attempt = attempt;
        for (int i = 0; i < job.tasks().size(); i++) {
            SimTask task = job.tasks().get(i);
            waiting.computeIfAbsent(task.kind().name(), kind -> new ArrayDeque<>())
                    .add(new Waiting(i, task));
        }
        this.kinds = new ArrayList<>(waiting.keySet());
        this.unfinished = job.tasks().size();
    }

    int index() {
        return index;
    }

    SimJob job() {
        return job;
    }

    String toldName() {
        return toldName;
    }

    ApplicationAttemptId attempt() {
        return attempt;
    }

    List<String> kinds() {
        return kinds;
    }

    int waiting(String kind) {
        return waiting.get(kind).size();
    }

    int unfinished() {
        return unfinished;
    }

    double firstStart() {
        return firstStart;
    }

    double lastFinish() {
        return lastFinish;
    }

    /** Returns the kind that YARN allocates next: the first one that still waits. */
    Optional<String> next() {
        return kinds.stream().filter(kind -> waiting(kind) > 0).findFirst();
    }

    /** Returns the task of that kind. */
    Optional<Waiting> nextTask() {
        return next().map(kind -> waiting.get(kind).peek());
    }

    /** Returns who the tasks of a kind are to the profile repository: named by a tag, told apart by priority. */
    TaskIdentity identity(String kind) {
        return identities.computeIfAbsent(kind, this::newIdentity);
    }

    private TaskIdentity newIdentity(String kind) {
        return TaskIdentity.of(
                ResourceManagerDriver.APPLICATION_TYPE,
                toldName,
                "priority-" + kinds.indexOf(kind),
                job.queue(),
                Optional.of(toldName),
                Optional.of(ResourceManagerDriver.USER));
    }

    /** Returns the numbers of all tasks of that kind. */
    List<Integer> numbers(String kind) {
        return IntStream.range(0, job.tasks().size())
                .filter(number -> job.tasks().get(number).kind().name().equals(kind))
                .boxed()
                .toList();
    }

    /** Returns those of that kind that still wait. */
    List<Waiting> waitingTasks(String kind) {
        return List.copyOf(waiting.get(kind));
    }

    /** Takes out the first that is {@code preferred}, or else the first. */
    Waiting start(int priority, double at, Predicate<Waiting> preferred) {
        firstStart = Double.isNaN(firstStart) ? at : firstStart;
        Deque<Waiting> all = waiting.get(kinds.get(priority));
        Waiting next = all.stream().filter(preferred).findFirst().orElseGet(all::element);
        all.remove(next);
        return next;
    }

    /** Has a task begin anew whose container was lost. */
    void lost(Waiting task) {
        waiting.get(task.task().kind().name()).add(task);
    }

    void finished(double at) {
        unfinished--;
        lastFinish = Double.isNaN(lastFinish) ? at : Math.max(lastFinish, at);
    }
}
