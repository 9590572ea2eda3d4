package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How large nodes are, how large they should be, and why. */
@Command(
        name = "capacity",
        sortOptions = false,
        description = {
            "Each node's memory in MiB as configured, as YARN takes it (USABLE), as containers requested (USED), and as it should be (WANTED), with the reason.",
            "docs/elastic.md says what the reasons mean."
        })
final class CapacityCommand extends ListCommand {
    @Option(names = "--contains", paramLabel = "TEXT", description = "Only nodes with this in their name.")
    private String contains;

    CapacityCommand(ProgramEnvironment surroundings) {
        super(surroundings, "nodes");
    }

    @Override
    Question question() {
        return Question.get("capacity").with("contains", contains);
    }

    @Override
    Table table(JsonNode nodes) {
        Table table = new Table()
                .text("NODE", Room.CUT_END)
                .number("CONFIGURED", Room.ALWAYS)
                .number("USABLE", Room.ALWAYS)
                .number("USED", Room.ALWAYS)
                .number("WANTED", Room.ALWAYS)
                .text("REASON", Room.ALWAYS)
                .text("NOT DONE", Room.OR_NONE)
                .number("GAIN", Room.OR_NONE);
        for (JsonNode node : nodes) {
            table.row(
                    Figure.text(node.path("node")),
                    megabytes(node, "configured"),
                    megabytes(node, "usable"),
                    megabytes(node, "used"),
                    megabytes(node, "wanted"),
                    Figure.text(node.path("reason")),
                    Figure.text(node.path("standsBack")),
                    Figure.signed(node.path("gainAtLeast")));
        }
        return table;
    }

    private static String megabytes(JsonNode node, String size) {
        return Figure.text(node.path(size).path("memoryMb"));
    }

    /** Of nodes with a label that has a mode of its own; nothing if none has. */
    private static String labels(JsonNode modes) {
        return modes.isEmpty()
                ? ""
                : modes.properties().stream()
                        .map(label -> label.getKey() + ": " + Figure.text(label.getValue()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    @Override
    String text(JsonNode answer) {
        JsonNode all = answer.path("all");
        return "Mode %s%s; %s of %s nodes are larger than configured.%nAll: %s MiB configured, %s usable, %s used%n"
                        .formatted(
                                Figure.text(answer.path("mode")),
                                labels(answer.path("labelModes")),
                                Figure.text(all.path("grown")),
                                Figure.text(all.path("nodes")),
                                megabytes(all, "configured"),
                                megabytes(all, "usable"),
                                megabytes(all, "used"))
                + super.text(answer);
    }
}
