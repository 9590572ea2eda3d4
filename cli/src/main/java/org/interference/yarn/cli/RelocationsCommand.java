package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Which containers should leave their nodes, and why. */
@Command(
        name = "relocations",
        sortOptions = false,
        description = {
            "Containers that may be asked to leave their node, those first that are to. SAVED is the least work that this saves, LOST the most that it loses, in time of a task alone.",
            "docs/relocation.md says what the reasons mean. What of other users you may not view has no names."
        })
final class RelocationsCommand extends ListCommand {
    @Option(names = "--application", paramLabel = "ID", description = "Only containers of this application.")
    private String application;

    RelocationsCommand(ProgramEnvironment surroundings) {
        super(surroundings, "containers");
    }

    @Override
    Question question() {
        return Question.get("relocations").with("application", application);
    }

    @Override
    Table table(JsonNode containers) {
        Table table = new Table()
                .text("CONTAINER", Room.CUT_BEGINNING)
                .text("REASON", Room.ALWAYS)
                .number("SAVED", Room.ALWAYS)
                .number("LOST", Room.ALWAYS)
                .number("SLOWDOWN", Room.ALWAYS)
                .text("NODE", Room.OR_NONE)
                .text("TARGET", Room.OR_NONE)
                .text("TASK", Room.OR_NONE);
        for (JsonNode container : containers) {
            table.row(
                    Figure.ofContainer(container),
                    Figure.text(container.path("reason")),
                    Figure.signed(container.path("savedSeconds")),
                    Figure.seconds(container.path("lostSeconds")),
                    Figure.text(container.path("slowdown")),
                    Figure.text(container.path("node")),
                    Figure.text(container.path("target")),
                    Figure.text(container.path("kind")));
        }
        return table;
    }

    @Override
    String text(JsonNode answer) {
        return "Mode %s; %s asked, %s left: %s helped, %s did not; %s of work lost.%n"
                        .formatted(
                                Figure.text(answer.path("mode")),
                                Figure.text(answer.path("asked")),
                                Figure.text(answer.path("left")),
                                Figure.text(answer.path("helped")),
                                Figure.text(answer.path("harmed")),
                                Figure.seconds(answer.path("lostSeconds")))
                + super.text(answer);
    }
}
