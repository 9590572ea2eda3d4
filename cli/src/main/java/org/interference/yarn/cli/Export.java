package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes all profiles out. */
@Command(
        name = "export",
        sortOptions = false,
        description = "Writes every profile to a file, which import takes; for administrators.")
final class Export extends OperatorCommand {
    @Parameters(paramLabel = "FILE", description = "Where to; what is there is written over.")
    private Path file;

    Export(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        JsonNode document = rm.ask(Question.get("profiles", "export"));
        if (Files.isDirectory(file)) {
            throw badInput("%s cannot be written (a directory)".formatted(file));
        }
        try {
            write(document + "\n");
        } catch (IOException e) {
            throw badInput("%s cannot be written (%s)".formatted(file, e));
        }
        return document;
    }

    /** What is there stays until all of the new one is; but for a pipe, of which there is nothing to stay. */
    private void write(String text) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            Files.writeString(file, text);
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        Files.writeString(fresh, text);
        Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    String text(JsonNode document) {
        return "Profiles written to %2$s: %1$d.%n"
                .formatted(document.path("profiles").size(), file);
    }
}
