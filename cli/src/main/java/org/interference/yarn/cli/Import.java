package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Brings profiles in. */
@Command(
        name = "import",
        sortOptions = false,
        description = {
            "Brings profiles in from a file that export wrote; for administrators.",
            "Where a kind of task is known already, the one with the newer sample is kept: the same file twice changes nothing."
        })
final class Import extends OperatorCommand {
    @Parameters(paramLabel = "FILE", description = "Where from.")
    private Path file;

    Import(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(Question.post("profiles", "import").withBody(document()));
    }

    private String document() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw badInput("%s cannot be read (%s)"
                    .formatted(file, Files.exists(file) ? e.getMessage() : "there is no such file"));
        }
    }

    @Override
    String text(JsonNode answer) {
        return "Profiles brought in: %s.%n".formatted(Figure.text(answer.path("imported")));
    }
}
