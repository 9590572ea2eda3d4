package org.interference.yarn.testbed.services;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.testbed.Provenance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The results of all runs as one file, and on the screen. */
@Command(name = "service-summary", description = "Compares the plans by the results so far.")
public final class ServiceSummaryCommand implements Callable<Integer> {
    @Option(names = "--results", required = true)
    private Path results;

    @Option(names = "--output", required = true)
    private Path output;

    @Mixin
    private Provenance provenance;

    private final Progress progress;

    public ServiceSummaryCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException {
        ObjectNode document = provenance.into(new ObjectMapper().createObjectNode(), "planner-services");
        document.set("results", ServiceSummary.of(ServiceResult.read(results)));
        Files.writeString(output, document.toPrettyString() + "\n");
        progress.plain(document.path("results").toPrettyString());
        progress.plain("Wrote " + output);
        return 0;
    }
}
