package org.interference.yarn.parents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What became of one class.
 *
 * @param started how many of our plugins ran in it, over all of its tests
 * @param errors lines of its log in which our plugin told of an error of its own
 * @param seconds how long it took, with its repetitions
 */
record TestResult(int started, int errors, long seconds, List<TestOutcome> outcomes) {
    /** As often a test is run that fails. */
    private static final int ATTEMPTS = 3;

    TestResult {
        outcomes = List.copyOf(outcomes);
    }

    long count(TestOutcome.Status status) {
        return outcomes.stream().filter(outcome -> outcome.status() == status).count();
    }

    List<TestOutcome> failures() {
        return outcomes.stream().filter(TestOutcome::hasFailed).toList();
    }

    /** Returns whether nothing of it is to be run again. */
    boolean isFinal() {
        return toRepeat().isEmpty();
    }

    /** Returns what failed and is to be run again. */
    List<TestOutcome> toRepeat() {
        return toRepeat(outcomes);
    }

    static List<TestOutcome> toRepeat(Collection<TestOutcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> outcome.hasFailed() && outcome.attempts() < ATTEMPTS)
                .toList();
    }

    /** Returns these outcomes with what it took to come to {@code before}, of which they are the repetition. */
    TestResult after(TestResult before) {
        return new TestResult(before.started + started, before.errors + errors, before.seconds + seconds, outcomes);
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(started + "\t" + errors + "\t" + seconds);
        outcomes.forEach(outcome -> lines.add(outcome.toLine()));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    static TestResult read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        String[] head = lines.get(0).split("\t", -1);
        return new TestResult(
                Integer.parseInt(head[0]),
                Integer.parseInt(head[1]),
                Long.parseLong(head[2]),
                lines.stream().skip(1).map(TestOutcome::fromLine).toList());
    }
}
