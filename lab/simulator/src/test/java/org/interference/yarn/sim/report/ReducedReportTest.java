package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.policy.Policies;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A change that changes what the schedulers do shows what it does: in the diff of the reduced report.
 *
 * <p>{@code -Dgolden.write=true} writes it anew. It shows neither more nor less than the full one, with less certainty: see {@link
 * SimulationReport} for what it cannot show.
 */
@Timeout(900)
class ReducedReportTest {
    private static final ReportPlan PLAN = Plans.reduced();
    /** A heartbeat more or less at the end of a run. */
    private static final double RESOLUTION_PER_CENT = 1;

    private static final Path TWIN = Path.of("src/test/resources/report/reduced-report.md");

    private static Runs runs;

    @BeforeAll
    static void run() {
        runs = Runs.of(PLAN);
    }

    @Test
    void theReducedReportIsItsCommittedTwin() throws IOException {
        String report = "# Simulation report, reduced\n\n" + MarkdownReport.of(PLAN, runs, false);
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(TWIN, report);
        }

        assertThat(report).isEqualTo(Files.readString(TWIN));
    }

    /**
     * What a placebo gains or loses over the scheduler that it is made on is what its freedom does by itself: it reorders jobs. Knowing
     * something must do no more where there is nothing to know.
     */
    @Test
    void withoutInterferenceEveryPolicyTiesWithinThePlacebosInterval() {
        for (Policy policy : PLAN.policies()) {
            if (policy.freedom() == Freedom.STOCK) {
                continue;
            }
            Policy placebo = Policies.named(policy.placebo().orElseThrow());
            Interval byItself = new Cell(runs, PLAN, "none", placebo).gain(policy.parent(), RunMetrics::makespan);

            double gain = new Cell(runs, PLAN, "none", policy)
                    .gain(policy.parent(), RunMetrics::makespan)
                    .mean();

            assertThat(gain)
                    .as(policy.name())
                    .isBetween(
                            Math.min(0, byItself.low()) - RESOLUTION_PER_CENT,
                            Math.max(0, byItself.high()) + RESOLUTION_PER_CENT);
        }
    }

    @Test
    void withoutInterferenceNoJobStarvesOrFails() {
        for (Policy policy : PLAN.policies()) {
            Cell cell = new Cell(runs, PLAN, "none", policy);

            assertThat(cell.total(RunMetrics::failed)).as(policy.name()).isZero();
            // With a part of the slots some wait for long, whoever decides.
            if (policy.slots(PLAN.shape().slotsPerNode()) == PLAN.shape().slotsPerNode()) {
                assertThat(cell.total(RunMetrics::starved)).as(policy.name()).isZero();
            }
        }
    }
}
