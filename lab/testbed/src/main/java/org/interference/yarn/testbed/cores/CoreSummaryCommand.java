package org.interference.yarn.testbed.cores;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.testbed.Provenance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The results of all runs put into one file, and on the screen. */
@Command(name = "core-summary", description = "Compares the rules by the results so far.")
public final class CoreSummaryCommand implements Callable<Integer> {
    @Option(names = "--results", required = true, description = "The folder.")
    private Path results;

    @Option(names = "--output", required = true, description = "What else is in it stays.")
    private Path output;

    @Mixin
    private Provenance provenance;

    private final Progress progress;

    public CoreSummaryCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode document = Files.exists(output)
                ? (ObjectNode) json.readTree(output.toFile())
                : provenance.into(json.createObjectNode(), "node-control");
        ObjectNode figures = document.withObject("/results");
        Optional<String> commit = Optional.ofNullable(System.getenv("MEASURED_COMMIT"));
        CoreSummary.put(CoreRun.read(results.resolve("runs.tsv")), commit, figures);
        Undone.put(Undone.read(results.resolve("undone.tsv")), figures);
        // The rest of the file is another program's.
        ObjectNode made = provenance.into(figures.putObject("cores"), "cores");
        commit.ifPresent(at -> made.put("commit", at));
        Files.writeString(output, document.toPrettyString() + "\n");
        progress.plain(figures.toPrettyString());
        progress.plain("Wrote " + output);
        return 0;
    }
}
