package org.interference.yarn.sim.report;

import java.util.List;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.policy.Policies;

/** The committed report: what it is, its policies, and a section for each plan. */
final class Document {
    private static final String HEAD = """
            # Simulation report

            Written by `bin/lab simulation`; do not edit. [results.md](results.md) says what follows from it, and
            [ADR-0010](../adr/0010-the-simulator.md) how it is made and what it cannot show.

            Warm policies start with what our scheduler learnt in the same world from three training seeds, three others for each of five groups of
            test seeds, so that intervals hold what training happened to see, and without three of the applications that
            occur in the test. *Regret* is how much longer it takes than the greedy policy of the same freedom, which knows how much everybody is slowed down now
            and not what comes: it is no ceiling, and loses to stock Fair in some worlds. *Captured* is
            (placebo - policy) / (placebo - greedy) of the mean makespans, and is empty where the greedy one gains nothing over the
            placebo. *Against its parent* is the makespan gain over stock Capacity, on which node choice is made. *Starved* jobs waited more than 300 s
            for their first container; *failed* ones never finished. Both are sums over the seeds.

            | policy | what it is |
            |---|---|
            """;

    private Document() {}

    /** @param missing what was planned and is not in {@code runs} */
    static String of(List<ReportPlan> plans, Runs runs, List<String> missing) {
        StringBuilder text = new StringBuilder(HEAD);
        for (Policy policy : Policies.all()) {
            text.append("| %s | %s |\n".formatted(policy.name(), policy.describes()));
        }
        for (int i = 0; i < plans.size(); i++) {
            if (!plans.get(i).worlds().isEmpty()) {
                text.append("\n").append(MarkdownReport.of(plans.get(i), runs, i == 0));
            }
        }
        if (!missing.isEmpty()) {
            text.append("\n## Not run yet\n\n");
            missing.forEach(what -> text.append("- ").append(what).append('\n'));
        }
        return text.toString();
    }
}
