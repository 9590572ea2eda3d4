package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who hurts whom. */
@Command(
        name = "pairs",
        sortOptions = false,
        description = {
            "Who hurts whom, the worst first. ADDS is what the culprit adds to the victim's slowdown, LOST the same in the time"
                    + " that the victim has lost so far; ERROR is how far predictions for such tasks were off lately; MET BY who of the two came later, and why there.",
            "These are predictions. What of other users you may not view has no names."
        })
final class Pairs extends ListCommand {
    @Option(names = "--node", paramLabel = "NODE", description = "Only on this node, host:port as YARN writes it.")
    private String node;

    @Option(
            names = "--application",
            paramLabel = "ID",
            description = "Only what slows down containers of this application.")
    private String application;

    @Option(names = "--container", paramLabel = "ID", description = "Only what slows down this container.")
    private String container;

    Pairs(ProgramEnvironment surroundings) {
        super(surroundings, "pairs");
    }

    @Override
    Question question() {
        return Question.get("pairs")
                .with("node", node)
                .with("application", application)
                .with("container", container);
    }

    @Override
    Table table(JsonNode pairs) {
        return tableOf(pairs);
    }

    static Table tableOf(JsonNode pairs) {
        Table table = new Table()
                .text("VICTIM", Room.CUT_BEGINNING)
                .text("CULPRIT", Room.CUT_BEGINNING)
                .number("ADDS", Room.ALWAYS)
                .number("LOST", Room.ALWAYS)
                .text("ON", Room.ALWAYS)
                .number("ERROR", Room.ALWAYS)
                .text("NODE", Room.OR_NONE)
                .text("STATE", Room.OR_NONE)
                .text("VICTIM'S TASK", Room.OR_NONE)
                .text("CULPRIT'S TASK", Room.OR_NONE)
                .text("MET BY", Room.OR_NONE);
        for (JsonNode pair : pairs) {
            table.row(
                    Figure.ofContainer(pair.path("victim")),
                    Figure.ofTaker(pair.path("culprit")),
                    Figure.signed(pair.path("slowdown")),
                    Figure.seconds(pair.path("seconds")),
                    Figure.text(pair.path("signal")),
                    error(pair.path("confidence")),
                    Figure.text(pair.path("node")),
                    Figure.lowerCase(pair.path("state")),
                    Figure.text(pair.path("victim").path("task")),
                    Figure.text(pair.path("culprit").path("task")),
                    met(pair.path("met")));
        }
        return table;
    }

    private static String met(JsonNode met) {
        return met.isMissingNode()
                ? Figure.NONE
                : Figure.text(met.path("by")) + " came: " + Figure.lowerCase(met.path("reason"));
    }

    private static String error(JsonNode confidence) {
        return confidence.path("checked").asBoolean() ? Figure.percent(confidence.path("meanError")) : "unchecked";
    }
}
