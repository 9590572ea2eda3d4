package org.interference.yarn.dispatch.dag;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Rules and which of them waits for which: a directed acyclic graph, in which each file is made by one rule at most. Immutable.
 *
 * @param waitsFor for each rule, the rules that make its sources
 */
public record Workflow(List<Rule> rules, List<Set<Integer>> waitsFor) {
    public Workflow {
        rules = List.copyOf(rules);
        waitsFor = waitsFor.stream().map(Set::copyOf).toList();
    }

    /**
     * Makes the graph.
     *
     * @param rules in the order of their numbers
     * @throws WorkflowException if two rules make one file, or rules wait for one another
     */
    public static Workflow of(List<Rule> rules) throws WorkflowException {
        Map<String, Rule> makers = makers(rules);
        List<Set<Integer>> waitsFor = new ArrayList<>();
        for (Rule rule : rules) {
            waitsFor.add(rule.sources().stream()
                    .filter(source -> makers.containsKey(source.name()))
                    .map(source -> makers.get(source.name()).number())
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
        Workflow workflow = new Workflow(rules, waitsFor);
        workflow.requireNoCycle();
        return workflow;
    }

    private static Map<String, Rule> makers(List<Rule> rules) throws WorkflowException {
        Map<String, Rule> makers = new HashMap<>();
        for (Rule rule : rules) {
            for (FileUse target : rule.targets()) {
                Rule other = makers.put(target.name(), rule);
                if (other != null) {
                    throw new WorkflowException(
                            rule.line(),
                            "makes '%s', which %s"
                                    .formatted(
                                            WorkflowException.shown(target.name()),
                                            other.number() == rule.number()
                                                    ? "it names twice"
                                                    : "the rule in line %d makes, too".formatted(other.line())));
                }
            }
        }
        return makers;
    }

    /** Returns for each rule those that wait for it. */
    List<List<Integer>> waiters() {
        List<List<Integer>> waiters = new ArrayList<>();
        rules.forEach(rule -> waiters.add(new ArrayList<>()));
        rules.forEach(rule ->
                waitsFor.get(rule.number()).forEach(other -> waiters.get(other).add(rule.number())));
        return waiters;
    }

    /** Kahn's algorithm: what is left when nothing can be taken away without what it waits for is on a cycle, or waits for one. */
    private void requireNoCycle() throws WorkflowException {
        List<List<Integer>> waiters = waiters();
        int[] open = waitsFor.stream().mapToInt(Set::size).toArray();
        Deque<Integer> free = new ArrayDeque<>();
        for (Rule rule : rules) {
            if (open[rule.number()] == 0) {
                free.add(rule.number());
            }
        }
        int taken = 0;
        while (!free.isEmpty()) {
            taken++;
            for (int waiter : waiters.get(free.remove())) {
                open[waiter]--;
                if (open[waiter] == 0) {
                    free.add(waiter);
                }
            }
        }
        if (taken < rules.size()) {
            throw cycle(open);
        }
    }

    private WorkflowException cycle(int[] open) {
        int at = 0;
        while (open[at] == 0) {
            at++;
        }
        List<Integer> path = new ArrayList<>();
        while (!path.contains(at)) {
            path.add(at);
            at = waitsFor.get(at).stream()
                    .filter(other -> open[other] > 0)
                    .min(Integer::compare)
                    .orElseThrow();
        }
        List<Integer> lines = path.subList(path.indexOf(at), path.size()).stream()
                .map(number -> rules.get(number).line())
                .toList();
        return lines.size() == 1
                ? new WorkflowException(lines.get(0), "is a rule that wants what it makes")
                : new WorkflowException(
                        lines.get(0),
                        "is a rule of a cycle, in which each wants what the next one makes: lines %s"
                                .formatted(lines.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }

    /**
     * Makes sure that what no rule makes is there.
     *
     * @param folder as a sentence names it
     */
    public void requireSources(Predicate<String> exists, String folder) throws WorkflowException {
        Set<String> made = rules.stream()
                .flatMap(rule -> rule.targets().stream())
                .map(FileUse::name)
                .collect(Collectors.toSet());
        Set<String> seen = new TreeSet<>();
        for (Rule rule : rules) {
            for (FileUse source : rule.sources()) {
                boolean given = !source.isOfTheNode() && !made.contains(source.name()) && seen.add(source.name());
                if (given && !exists.test(source.name())) {
                    throw new WorkflowException(
                            rule.line(),
                            "wants '%s', which no rule makes and which is not in %s"
                                    .formatted(WorkflowException.shown(source.name()), folder));
                }
            }
        }
    }

    /** Returns the whole, a rule a line under a line that names the fields. */
    public List<String> text() {
        List<String> lines =
                new ArrayList<>(List.of("rule\tline\tcategory\tneeds\ttargets\tsources\tenvironment\tcommand"));
        rules.forEach(rule -> lines.add(rule.text()));
        return lines;
    }
}
