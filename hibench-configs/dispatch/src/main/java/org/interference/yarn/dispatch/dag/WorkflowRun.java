package org.interference.yarn.dispatch.dag;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What has become of the rules of a workflow, and which may start. A rule may when every rule that makes a source of it is done; when one
 * fails, whatever needs its targets is left out, and the others go on. Not thread-safe.
 */
public final class WorkflowRun {
    /** What has become of a rule. */
    public enum State {
        /** A source is still to be made. */
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        /** A rule that it needs has failed. */
        LEFT_OUT
    }

    /** A rule whose containers YARN takes back so often has failed. */
    static final int MOST_STARTS = 10;

    private final Workflow workflow;
    private final List<List<Integer>> waiters;
    private final State[] states;
    private final int[] open;
    private final int[] starts;
    private final Set<Integer> ready = new TreeSet<>();
    private int over;

    public WorkflowRun(Workflow workflow) {
        this.workflow = workflow;
        this.waiters = workflow.waiters();
        int count = workflow.rules().size();
        this.states = new State[count];
        Arrays.fill(states, State.WAITING);
        this.open = workflow.waitsFor().stream().mapToInt(Set::size).toArray();
        this.starts = new int[count];
        for (int rule = 0; rule < count; rule++) {
            if (open[rule] == 0) {
                ready.add(rule);
            }
        }
    }

    /**
     * Takes in, before anything is started, what an earlier run has done. A rule counts as done if it was, its targets are there still, and
     * the same holds of whatever it needs.
     *
     * @param done numbers of rules
     * @param exists whether a file is in the workflow's folder
     */
    public void resume(Set<Integer> done, Predicate<String> exists) {
        Deque<Integer> free = new ArrayDeque<>(ready);
        while (!free.isEmpty()) {
            int number = free.remove();
            Rule rule = workflow.rules().get(number);
            if (done.contains(number)
                    && rule.targets().stream().map(FileUse::name).allMatch(exists)) {
                ready.remove(number);
                free.addAll(finish(number));
            }
        }
    }

    /** Returns what may start now, in the order of the file, and has not been returned; it is running from now on. */
    public List<Rule> start() {
        List<Rule> starting = ready.stream().map(workflow.rules()::get).toList();
        for (int number : ready) {
            states[number] = State.RUNNING;
            starts[number]++;
        }
        ready.clear();
        return starting;
    }

    /** Takes in how a start ended. */
    public void ended(RuleEnd end) {
        int number = end.rule().number();
        if (states[number] != State.RUNNING) {
            throw new IllegalStateException("rule %d does not run but is %s".formatted(number, states[number]));
        }
        boolean again = end.outcome() == RuleEnd.Outcome.LOST && starts[number] < MOST_STARTS;
        if (again) {
            states[number] = State.WAITING;
            ready.add(number);
        } else if (end.outcome() == RuleEnd.Outcome.SUCCEEDED) {
            finish(number);
        } else {
            fail(number);
        }
    }

    /** Returns who waits for nothing any more. */
    private List<Integer> finish(int number) {
        states[number] = State.DONE;
        over++;
        List<Integer> free = new ArrayList<>();
        for (int waiter : waiters.get(number)) {
            open[waiter]--;
            if (open[waiter] == 0 && states[waiter] == State.WAITING) {
                free.add(waiter);
            }
        }
        ready.addAll(free);
        return free;
    }

    private void fail(int number) {
        states[number] = State.FAILED;
        over++;
        Deque<Integer> lost = new ArrayDeque<>(waiters.get(number));
        while (!lost.isEmpty()) {
            int waiter = lost.remove();
            if (states[waiter] == State.WAITING) {
                states[waiter] = State.LEFT_OUT;
                over++;
                lost.addAll(waiters.get(waiter));
            }
        }
    }

    public State state(Rule rule) {
        return states[rule.number()];
    }

    /** Returns how often a rule was started in this run. */
    public int starts(Rule rule) {
        return starts[rule.number()];
    }

    public int count(State state) {
        return Collections.frequency(Arrays.asList(states), state);
    }

    public boolean isOver() {
        return over == states.length;
    }
}
