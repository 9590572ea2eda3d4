package org.interference.yarn.dispatch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Whatever a list of jobs, a SWIM trace or a table of workloads holds, it is read, or refused in a sentence that names the file. */
public final class JobListsFuzz {
    private static final WorkloadTable TABLE = table();

    private JobListsFuzz() {}

    private interface Parser {
        Object parse(List<String> lines) throws InputException;
    }

    public static void fuzzerTestOneInput(byte[] bytes) {
        List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
        parse(lines, text -> JobList.of(text, "file", TABLE, ScaleProfile.TINY));
        parse(lines, text -> SwimTrace.replay(text, "file", 0.1, 1000, Optional.empty(), "text"));
        parse(lines, text -> WorkloadTable.of(text, "file"));
    }

    private static void parse(List<String> lines, Parser parser) {
        try {
            parser.parse(lines);
        } catch (InputException e) {
            if (!e.getMessage().startsWith("file") || e.getMessage().contains("\n")) {
                throw new AssertionError("no sentence that names the file", e);
            }
        }
    }

    private static WorkloadTable table() {
        try {
            return WorkloadTable.of(
                    List.of(
                            "family\tworkload\tframework\thibench\tdata\tprogram\ttiny\tsmall\tlarge\tnote",
                            "micro\tsort\tspark\tmicro/sort/spark\ttext\tMicroJobs\tsort ${input}\t-\t-\town"),
                    "table");
        } catch (InputException e) {
            throw new IllegalStateException(e);
        }
    }
}
