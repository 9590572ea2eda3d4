package org.interference.yarn.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How far a full-load test goes, after Zheng 2019, section 8.5: the load is increased step by step while the quality of service is
 * watched. The quality is the jobs' slowdown: the time from a job's submission to its end over that of its kind's first job, which
 * ran alone. A step is submitted when every job of the one before is over.
 *
 * <p>Pure: what it says depends on what is known of the jobs alone, so that it is the same after an interruption. Immutable.
 */
final class LoadTest {
    /**
     * Where the test ends.
     *
     * @param stop the mean slowdown of a step's jobs at which the load is increased no more, more than 1
     * @param abort the one at which the step's jobs are killed, more than {@code stop}; empty for never
     */
    record Limits(double stop, OptionalDouble abort) {}

    /** What the test has come to. */
    enum Outcome {
        GOES_ON,
        /** No step was slowed down by as much as the limit. */
        HELD,
        SLOWED,
        ABORTED,
        /** A job did not succeed, or one that ran alone tells no time. */
        FAILED
    }

    /**
     * Where the test is.
     *
     * @param step while it goes on the last step that may be submitted, otherwise the one that ended it; from 0
     */
    record State(Outcome outcome, int step) {}

    private final List<List<Integer>> steps;
    private final Map<String, Integer> alone;
    private final Limits limits;

    private LoadTest(List<List<Integer>> steps, Map<String, Integer> alone, Limits limits) {
        this.steps = steps;
        this.alone = Map.copyOf(alone);
        this.limits = limits;
    }

    /**
     * Returns the test of a timetable that {@link Timetable#steps} has made.
     *
     * @throws InputException if no kind has a second job
     */
    static LoadTest of(List<Submission> timetable, Limits limits) throws InputException {
        List<List<Integer>> steps = new ArrayList<>();
        Map<String, Integer> alone = new HashMap<>();
        Set<Duration> times = new HashSet<>();
        for (Submission submission : timetable) {
            alone.putIfAbsent(submission.job().workload(), submission.instance());
            if (times.add(submission.at())) {
                steps.add(new ArrayList<>());
            }
            steps.get(steps.size() - 1).add(submission.instance());
        }
        if (alone.size() == timetable.size()) {
            throw new InputException(
                    "--until-slowdown compares jobs with the first of their kind, and no kind has a second job");
        }
        return new LoadTest(steps.stream().map(List::copyOf).toList(), alone, limits);
    }

    /** Returns the jobs, by their numbers, of each step whose jobs do not run alone. */
    List<List<Integer>> loads() {
        return steps.subList(alone.size(), steps.size());
    }

    /** Returns the numbers of the jobs of a step. */
    List<Integer> step(int step) {
        return steps.get(step);
    }

    /** Whether a job may be submitted as far as {@code state} goes. */
    boolean allows(State state, int instance) {
        List<Integer> last = steps.get(state.step());
        return instance <= last.get(last.size() - 1);
    }

    /** Returns where the test is, by what is known of all jobs of the run, in the order of their numbers. */
    State state(List<JobRun> jobs) {
        for (int step = 0; step < steps.size(); step++) {
            Outcome outcome =
                    step < alone.size() ? alone(jobs.get(steps.get(step).get(0))) : together(step, jobs);
            if (outcome != Outcome.HELD) {
                return new State(outcome, step);
            }
        }
        return new State(Outcome.HELD, steps.size() - 1);
    }

    private static Outcome alone(JobRun job) {
        if (!job.isOver()) {
            return Outcome.GOES_ON;
        }
        boolean tells =
                job.state() == JobRun.State.SUCCEEDED && job.secondsWithYarn().orElse(0) > 0;
        return tells ? Outcome.HELD : Outcome.FAILED;
    }

    private Outcome together(int step, List<JobRun> jobs) {
        double slowdown = meanSlowdown(steps.get(step), jobs);
        if (slowdown >= limits.abort().orElse(Double.POSITIVE_INFINITY)) {
            return Outcome.ABORTED;
        }
        List<JobRun> members = steps.get(step).stream().map(jobs::get).toList();
        if (!members.stream().allMatch(JobRun::isOver)) {
            return Outcome.GOES_ON;
        }
        if (!members.stream().allMatch(job -> job.state() == JobRun.State.SUCCEEDED)) {
            return Outcome.FAILED;
        }
        return slowdown >= limits.stop() ? Outcome.SLOWED : Outcome.HELD;
    }

    /**
     * Returns the mean slowdown of a step's jobs: while some of them run, what it will be at least.
     *
     * @param step numbers of jobs whose kinds have run alone
     */
    double meanSlowdown(List<Integer> step, List<JobRun> jobs) {
        return step.stream()
                .mapToDouble(instance -> slowdown(instance, jobs))
                .average()
                .orElse(0);
    }

    /** Returns the highest slowdown of a step's jobs, as {@link #meanSlowdown}. */
    double highestSlowdown(List<Integer> step, List<JobRun> jobs) {
        return step.stream()
                .mapToDouble(instance -> slowdown(instance, jobs))
                .max()
                .orElse(0);
    }

    private double slowdown(int instance, List<JobRun> jobs) {
        JobRun first = jobs.get(alone.get(jobs.get(instance).submission().job().workload()));
        return jobs.get(instance).secondsWithYarn().orElse(0)
                / first.secondsWithYarn().orElse(Double.POSITIVE_INFINITY);
    }
}
