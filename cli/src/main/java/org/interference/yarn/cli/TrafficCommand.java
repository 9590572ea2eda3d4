package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who talks to whom. */
@Command(
        name = "traffic",
        sortOptions = false,
        description = {
            "Who talks to whom, those with the most bytes first, as both ends tell it. SENDS and RECEIVES are bytes of payload a second; of two containers"
                    + " at least. Where the other end is none that tells of it, it is on a node (a daemon, as HDFS) or outside of the cluster.",
            "It is measured where intpd runs with --peers."
        })
final class TrafficCommand extends ListCommand {
    @Option(names = "--node", paramLabel = "NODE", description = "Only on this node, host:port as YARN writes it.")
    private String node;

    @Option(names = "--application", paramLabel = "ID", description = "Only with containers of this application.")
    private String application;

    @Option(
            names = "--suggest",
            description =
                    "Say instead which applications should have a tag ifc-affinity in common, by what their tasks have"
                            + " exchanged in the last days.")
    private boolean suggest;

    TrafficCommand(ProgramEnvironment surroundings) {
        super(surroundings, "traffic");
    }

    @Override
    Question question() {
        return Question.get("traffic").with("node", node).with("application", application);
    }

    @Override
    String text(JsonNode answer) {
        String reason = answer.path("reason").asText();
        String text = suggest ? AffinityTags.of(answer.path("kinds")) : super.text(answer);
        return reason.isEmpty() ? text : text + "Now " + reason + ".\n";
    }

    @Override
    Table table(JsonNode traffic) {
        Table table = new Table()
                .text("CONTAINER", Room.CUT_BEGINNING)
                .text("TALKS TO", Room.CUT_BEGINNING)
                .number("SENDS", Room.ALWAYS)
                .number("RECEIVES", Room.ALWAYS)
                .text("NODE", Room.OR_NONE)
                .text("OTHER'S NODE", Room.OR_NONE)
                .text("TASK", Room.OR_NONE)
                .text("OTHER'S TASK", Room.OR_NONE);
        for (JsonNode talk : traffic) {
            table.row(
                    Figure.ofContainer(talk.path("container")),
                    other(talk),
                    Figure.bytes(talk.path("sentPerSecond")),
                    Figure.bytes(talk.path("receivedPerSecond")),
                    Figure.text(talk.path("node")),
                    Figure.text(talk.path("otherNode")),
                    Figure.text(talk.path("container").path("task")),
                    Figure.text(talk.path("other").path("task")));
        }
        return table;
    }

    private static String other(JsonNode talk) {
        return switch (talk.path("peer").asText()) {
            case "CONTAINER" -> Figure.ofContainer(talk.path("other"));
            case "NODE" -> "a node";
            default -> "outside";
        };
    }
}
