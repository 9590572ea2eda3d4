package org.interference.yarn.sim.report;

import java.util.Locale;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.world.World;

/** The report as people read it: a table for each world. Depends on the runs alone, not on when or where they were made. */
public final class MarkdownReport {
    private static final String BASELINE = "fair";

    private final ReportPlan plan;
    private final Runs runs;
    private final boolean withFigures;
    private final StringBuilder text = new StringBuilder();

    private MarkdownReport(ReportPlan plan, Runs runs, boolean withFigures) {
        this.plan = plan;
        this.runs = runs;
        this.withFigures = withFigures;
    }

    /**
     * Returns the section of one plan.
     *
     * @param withFigures whether each world has a figure {@code <world>.svg} beside the report
     */
    public static String of(ReportPlan plan, Runs runs, boolean withFigures) {
        MarkdownReport report = new MarkdownReport(plan, runs, withFigures);
        report.write();
        return report.text.toString();
    }

    private void write() {
        line("## %s", plan.name());
        line("");
        line(
                "%d nodes of %d slots, pattern %s, %d seeds. Gains are per cent less than stock Fair, paired by seed, with 95 %% intervals;"
                        + " negative is worse.",
                plan.shape().nodes(),
                plan.shape().slotsPerNode(),
                plan.pattern().name(),
                plan.seeds().size());
        for (World world : plan.worlds()) {
            line("");
            line("### %s", world.name());
            line("");
            line("%s", world.describes());
            line("");
            if (withFigures) {
                line("![Makespan and turnaround in %s](%s.svg)", world.name(), world.name());
                line("");
            }
            table(world);
        }
    }

    private void table(World world) {
        line(
                "| policy | makespan s | makespan gain %% | turnaround gain %% | p95 turnaround gain %% | slowdown | density | queues' fairness"
                        + " | against its parent %% | regret %% | captured | longest wait s | starved, failed |");
        line("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Policy policy : plan.policies()) {
            Cell cell = new Cell(runs, plan, world.name(), policy);
            line(
                    "| %s | %.1f | %s | %s | %s | %.3f | %.3f | %.3f | %s | %s | %s | %.0f | %d, %d |",
                    policy.name(),
                    cell.mean(RunMetrics::makespan).mean(),
                    interval(cell.gain(BASELINE, RunMetrics::makespan)),
                    interval(cell.gain(BASELINE, RunMetrics::turnaroundMean)),
                    interval(cell.gain(BASELINE, RunMetrics::turnaroundP95)),
                    cell.mean(RunMetrics::slowdownMean).mean(),
                    cell.mean(RunMetrics::density).mean(),
                    cell.mean(RunMetrics::fairness).mean(),
                    parents(policy, cell),
                    cell.regret().map(regret -> number("%.1f", regret.mean())).orElse(""),
                    captured(cell),
                    cell.worst(RunMetrics::maxWait),
                    cell.total(RunMetrics::starved),
                    cell.total(RunMetrics::failed));
        }
    }

    /** Where that is not the baseline: what is its own effect is the difference to its parent. */
    private static String parents(Policy policy, Cell cell) {
        return policy.freedom() == Freedom.STOCK || policy.parent().equals(BASELINE)
                ? ""
                : interval(cell.gain(policy.parent(), RunMetrics::makespan));
    }

    private static String captured(Cell cell) {
        return cell.captured(RunMetrics::makespan)
                .map(fraction -> number("%.2f", fraction.mean()))
                .orElse("");
    }

    private static String interval(Interval interval) {
        return number("%.1f", interval.mean()) + " ± " + number("%.1f", interval.halfWidth());
    }

    /** Negative zero is zero. */
    private static String number(String format, double value) {
        String formatted = String.format(Locale.ROOT, format, value);
        return formatted.matches("-0\\.0*") ? formatted.substring(1) : formatted;
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
