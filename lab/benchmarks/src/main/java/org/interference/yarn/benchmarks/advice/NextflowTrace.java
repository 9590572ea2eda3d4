package org.interference.yarn.benchmarks.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads traces of the workflow system Nextflow: one file for each workflow, comma-separated, with raw numbers in bytes and milliseconds. */
final class NextflowTrace {
    private static final String UNKNOWN = "-";

    private NextflowTrace() {}

    /** Returns the tasks that completed and of which everything is known; a kind is a process of a workflow. */
    static List<TaskUse> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> names = cells(lines.get(0));
        List<TaskUse> tasks = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < Math.min(names.size(), cells.size()); i++) {
                row.put(names.get(i), cells.get(i));
            }
            List<String> needed = List.of("process", "memory", "cpus", "%cpu", "peak_rss", "start", "complete");
            boolean complete = needed.stream()
                    .noneMatch(name -> row.getOrDefault(name, UNKNOWN).equals(UNKNOWN));
            if (complete && row.get("status").equals("COMPLETED")) {
                tasks.add(task(row));
            }
        }
        return tasks;
    }

    private static TaskUse task(Map<String, String> row) {
        return new TaskUse(
                row.get("process"),
                Double.parseDouble(row.get("memory")),
                Integer.parseInt(row.get("cpus")),
                Double.parseDouble(row.get("%cpu")) / 100,
                Double.parseDouble(row.get("peak_rss")),
                Instant.ofEpochMilli(Long.parseLong(row.get("start"))),
                Instant.ofEpochMilli(Long.parseLong(row.get("complete"))));
    }

    /** Splits at commas that are not between quotes. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
