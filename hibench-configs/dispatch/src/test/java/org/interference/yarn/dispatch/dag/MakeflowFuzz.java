package org.interference.yarn.dispatch.dag;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Whatever a Makeflow file holds, it is a graph without cycles, or is refused in a sentence about one of its lines. */
public final class MakeflowFuzz {
    private MakeflowFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        check(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    }

    /** Reads a file, and holds the parser to what it promises. */
    static void check(List<String> lines) {
        try {
            Workflow workflow = Makeflow.of(lines, "unnamed", name -> Optional.empty());
            require(runsToItsEnd(workflow), "rules wait for one another", lines);
        } catch (WorkflowException e) {
            boolean ofALine = e.line() >= 1 && e.line() <= Math.max(1, lines.size());
            require(ofALine && e.getMessage().matches("[\\x20-\\x7e]{1,400}"), "no sentence: " + e.getMessage(), lines);
        }
    }

    private static boolean runsToItsEnd(Workflow workflow) {
        WorkflowRun run = new WorkflowRun(workflow);
        for (List<Rule> next = run.start(); !next.isEmpty(); next = run.start()) {
            next.forEach(rule -> run.ended(new RuleEnd(rule, RuleEnd.Outcome.SUCCEEDED, "here", "")));
        }
        return run.isOver();
    }

    private static void require(boolean holds, String otherwise, List<String> lines) {
        if (!holds) {
            throw new AssertionError(otherwise + ", for " + lines);
        }
    }
}
