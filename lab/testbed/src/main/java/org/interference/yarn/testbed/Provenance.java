package org.interference.yarn.testbed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.interference.yarn.sim.report.EvaluationFile;
import picocli.CommandLine.Option;

/** Options of whoever writes figures: by what they were made, where and when. */
public final class Provenance {
    @Option(names = "--command", required = true, description = "By which the results are made again.")
    private String command;

    @Option(names = "--machine", required = true)
    private String machine;

    @Option(names = "--date", required = true)
    private String date;

    /** Puts it into {@code document}, which is called {@code name}, and returns that. */
    public ObjectNode into(ObjectNode document, String name) {
        return document.put("name", name)
                .put("command", command)
                .put("machine", machine)
                .put("date", date);
    }

    EvaluationFile.Made made() {
        return new EvaluationFile.Made(command, machine, date);
    }
}
