package org.interference.yarn.dispatch;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a job is submitted with. */
enum Framework {
    /** A class that is a Hadoop {@code Tool}, run in this process. */
    MAPREDUCE,
    /** A main class that Spark's own submission starts in cluster mode, from this process. */
    SPARK,
    /** A program with a process of its own. */
    COMMAND,
    /** A workload of an installed HiBench, by its folder below bin/workloads; a process of its own, too. */
    HIBENCH,
    /** Only a workload's column: HiBench submits it to a Storm of its own. */
    STORM;

    static Framework of(Tsv.Row row, String column) throws InputException {
        String name = row.required(column);
        return Arrays.stream(values())
                .filter(framework -> framework.label().equals(name))
                .findFirst()
                .orElseThrow(() -> row.problem("%s is '%s' but must be one of %s"
                        .formatted(
                                column,
                                Tsv.shown(name),
                                Arrays.stream(values()).map(Framework::label).collect(Collectors.joining(", ")))));
    }

    /** Whether what submits may go on after this process has ended. */
    boolean outlivesThis() {
        return this == COMMAND || this == HIBENCH;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
