package org.interference.yarn.dispatch;

import java.nio.file.Path;

/** The committed table. */
final class Tables {
    private static final Path FILE = Path.of("..", "workloads.tsv");

    private Tables() {}

    static WorkloadTable workloads() throws InputException {
        return WorkloadTable.read(FILE);
    }
}
