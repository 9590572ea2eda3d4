package org.interference.yarn.sim.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.interference.yarn.lab.stats.Interval;

/** Results as text and as JSON. Pure: the same results give the same text. */
final class SimulationAnswer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SimulationAnswer() {}

    static String table(SimulationResults results) {
        List<ColumnData<String>> columns = new ArrayList<>();
        columns.add(
                new Column().header("policy").dataAlign(HorizontalAlign.LEFT).with(policy -> policy));
        for (Metric metric : Metric.values()) {
            columns.add(number(metric.heading(), policy -> cell(results, policy, metric)));
        }
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, results.policies(), columns);
    }

    private static String cell(SimulationResults results, String policy, Metric metric) {
        String mean = value(metric, results.mean(policy, metric));
        return results.change(policy, metric)
                .map(change -> "%s (%s)".formatted(mean, change(change, results.hasIntervals())))
                .orElse(mean);
    }

    static String json(List<SimulationResults> worlds, ObjectNode question) {
        ObjectNode root = JSON.createObjectNode();
        root.set("question", question);
        ObjectNode answers = root.putObject("results");
        for (SimulationResults results : worlds) {
            ObjectNode world = answers.putObject(results.world());
            for (String policy : results.policies()) {
                ObjectNode row = world.putObject(policy);
                for (Metric metric : Metric.values()) {
                    ObjectNode cell = row.putObject(metric.key());
                    put(cell, "mean", results.mean(policy, metric));
                    results.change(policy, metric).ifPresent(change -> {
                        put(cell, "change_percent", change.mean());
                        if (results.hasIntervals()) {
                            put(cell, "low", change.low());
                            put(cell, "high", change.high());
                        }
                    });
                }
            }
        }
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try {
            return JSON.writer(printer).writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of numbers cannot be written", e);
        }
    }

    /** JSON has no NaN; a mean of nothing is null. */
    private static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, Math.round(value * 1000) / 1000.0);
        } else {
            node.putNull(name);
        }
    }

    private static String value(Metric metric, double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        return switch (metric) {
            case MAKESPAN, TURNAROUND_MEAN, TURNAROUND_P95, STARVED, FAILED ->
                String.format(Locale.ROOT, "%.1f", value);
            case SLOWDOWN_MEAN -> String.format(Locale.ROOT, "%.2f", value);
            case DENSITY -> String.format(Locale.ROOT, "%.0f %%", 100 * value);
        };
    }

    private static String change(Interval change, boolean withInterval) {
        return withInterval
                ? String.format(Locale.ROOT, "%+.1f ± %.1f %%", change.mean(), change.halfWidth())
                : String.format(Locale.ROOT, "%+.1f %%", change.mean());
    }

    private static ColumnData<String> number(String header, Function<String, String> value) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT).with(value);
    }
}
