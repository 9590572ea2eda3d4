package org.interference.yarn.dispatch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.interference.yarn.dispatch.RunJournal.Entry;
import org.interference.yarn.dispatch.RunJournal.Event;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd;
import org.interference.yarn.dispatch.dag.RuleEnd.Outcome;
import org.interference.yarn.dispatch.dag.RuleRunner;
import org.interference.yarn.dispatch.dag.Workflow;
import org.interference.yarn.dispatch.dag.WorkflowRun;
import org.interference.yarn.dispatch.dag.WorkflowRun.State;

/**
 * One run of a workflow: starts each rule when its sources are made, and ends when every rule is over or it is told to stop. Runs in one
 * thread; {@link #ended} and {@link #stop} may be called by any.
 */
final class WorkflowDispatch {
    private final String run;
    private final Workflow workflow;
    private final WorkflowRun state;
    private final RunJournal journal;
    private final Pace pace;
    private final Screen screen;
    private final LinkedBlockingQueue<Optional<RuleEnd>> ends = new LinkedBlockingQueue<>();
    private final Map<Integer, RuleTimes> times = new HashMap<>();
    private volatile boolean stopped;
    private long began;

    /**
     * When a rule was started and how it ended, by this machine's clock. Immutable.
     *
     * @param end empty while it runs
     */
    record RuleTimes(long startedMillis, long endedMillis, Optional<RuleEnd> end) {}

    WorkflowDispatch(String run, Workflow workflow, RunJournal journal, Pace pace, Screen screen) {
        this.run = run;
        this.workflow = workflow;
        this.state = new WorkflowRun(workflow);
        this.journal = journal;
        this.pace = pace;
        this.screen = screen;
    }

    /** Takes in how a start ended. */
    void ended(RuleEnd end) {
        ends.add(Optional.of(end));
    }

    /** Makes {@link #run} return. */
    void stop() {
        stopped = true;
        ends.add(Optional.empty());
    }

    /**
     * Takes in what an earlier process did.
     *
     * @param entries the journal as it was found
     * @param exists whether a file is in the workflow's folder
     */
    void resume(List<Entry> entries, Predicate<String> exists) {
        entries.stream()
                .filter(entry -> entry.event() == Event.BEGAN)
                .findFirst()
                .ifPresent(entry -> began = entry.millis());
        Set<Integer> done = entries.stream()
                .filter(entry ->
                        entry.event() == Event.CLIENT_ENDED && entry.detail().isEmpty())
                .map(Entry::instance)
                .collect(Collectors.toSet());
        state.resume(done, exists);
        if (began != 0) {
            screen.say("Goes on with run %s: %d of %d rules are done"
                    .formatted(run, state.count(State.DONE), workflow.rules().size()));
        }
    }

    /**
     * Runs what is left.
     *
     * @param containers runs rules as containers
     * @param local runs those that are local
     */
    WorkflowResult run(RuleRunner containers, RuleRunner local) throws InterruptedException {
        if (began == 0) {
            began = pace.millis();
            journal.write(Entry.of(Event.BEGAN, began, 0, Optional.empty()));
        }
        report();
        while (!stopped && !state.isOver()) {
            for (Rule rule : state.start()) {
                times.put(rule.number(), new RuleTimes(pace.millis(), 0, Optional.empty()));
                journal.write(Entry.of(Event.SUBMITTING, pace.millis(), rule.number(), Optional.empty()));
                (rule.local() ? local : containers).start(rule);
            }
            report();
            ends.take().ifPresent(this::take);
        }
        local.close(state.isOver());
        containers.close(state.isOver());
        report();
        return new WorkflowResult(run, began, workflow, state, Map.copyOf(times));
    }

    private void take(RuleEnd end) {
        Rule rule = end.rule();
        state.ended(end);
        times.computeIfPresent(
                rule.number(), (number, time) -> new RuleTimes(time.startedMillis(), pace.millis(), Optional.of(end)));
        Optional<String> failure =
                end.outcome() == Outcome.SUCCEEDED ? Optional.empty() : Optional.of(end.where() + ": " + end.said());
        if (state.state(rule) == State.DONE || state.state(rule) == State.FAILED) {
            journal.write(Entry.of(Event.CLIENT_ENDED, pace.millis(), rule.number(), failure));
        }
        failure.ifPresent(said -> screen.say("Rule %d (line %d, %s) %s, %s"
                .formatted(
                        rule.number(),
                        rule.line(),
                        rule.category(),
                        end.outcome() == Outcome.LOST && state.state(rule) != State.FAILED
                                ? "was lost and begins anew"
                                : "failed",
                        said)));
    }

    private void report() {
        int waiting = state.count(State.WAITING);
        int running = state.count(State.RUNNING);
        int rules = workflow.rules().size();
        screen.progress(
                rules,
                rules - waiting - state.count(State.LEFT_OUT),
                rules - waiting - running,
                state.count(State.FAILED));
    }
}
