package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.world.World;

/** The report as programs read it: {@code name, command, machine, date, results.<world>.<policy>.<metric>}. */
final class JsonReport {
    private static final String BASELINE = "fair";

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Writes the report of one plan; each change is per cent of stock Fair, positive is more. */
    void write(ReportPlan plan, Runs runs, String command, String machine, LocalDate date, Path file)
            throws IOException {
        ObjectNode root = json.createObjectNode();
        root.put("name", "simulation");
        root.put("command", command);
        root.put("machine", machine);
        root.put("date", date.toString());
        root.put(
                "note",
                "value: mean over %d seeds; change, low, high: per cent of stock Fair, paired by seed, 95 %% interval"
                        .formatted(plan.seeds().size()));
        ObjectNode results = root.putObject("results");
        for (World world : plan.worlds()) {
            ObjectNode inWorld = results.putObject(world.name());
            for (Policy policy : plan.policies()) {
                add(inWorld.putObject(policy.name()), new Cell(runs, plan, world.name(), policy));
            }
        }
        Files.writeString(file, json.writeValueAsString(root) + "\n");
    }

    private static void add(ObjectNode node, Cell cell) {
        add(node, "makespan", cell, RunMetrics::makespan);
        add(node, "turnaround_mean", cell, RunMetrics::turnaroundMean);
        add(node, "turnaround_p95", cell, RunMetrics::turnaroundP95);
        add(node, "slowdown_mean", cell, RunMetrics::slowdownMean);
        add(node, "slowdown_p95", cell, RunMetrics::slowdownP95);
        add(node, "density", cell, RunMetrics::density);
        add(node, "fairness", cell, RunMetrics::fairness);
        Optional<Interval> captured = cell.captured(RunMetrics::makespan);
        ObjectNode fraction = node.putObject("captured_fraction");
        captured.ifPresentOrElse(
                value -> fraction.put("value", ReportFigures.rounded(value.mean())), () -> fraction.putNull("value"));
        node.put("starved", cell.total(RunMetrics::starved));
        node.put("failed", cell.total(RunMetrics::failed));
    }

    private static void add(ObjectNode node, String name, Cell cell, ToDoubleFunction<RunMetrics> metric) {
        Interval change = cell.gain(BASELINE, metric).negated();
        node.putObject(name)
                .put("value", ReportFigures.rounded(cell.mean(metric).mean()))
                .put("change", ReportFigures.rounded(change.mean()))
                .put("low", ReportFigures.rounded(change.low()))
                .put("high", ReportFigures.rounded(change.high()));
    }
}
