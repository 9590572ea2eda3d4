package org.interference.yarn.parents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of one class.
 *
 * @param started how many of our plugins ran in it, over all of its tests
 * @param errors lines of its log in which our plugin told of an error of its own
 * @param seconds how long it took, with its repetitions
 */
record TestResult(int started, int errors, long seconds, List<TestOutcome> outcomes) {
    TestResult {
        outcomes = List.copyOf(outcomes);
    }

    long count(TestOutcome.Status status) {
        return outcomes.stream().filter(outcome -> outcome.status() == status).count();
    }

    List<TestOutcome> failures() {
        return outcomes.stream().filter(TestOutcome::hasFailed).toList();
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
