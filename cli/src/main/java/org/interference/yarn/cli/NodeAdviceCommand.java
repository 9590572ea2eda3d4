package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How many nodes are needed. */
@Command(
        name = "nodes",
        sortOptions = false,
        description = {
            "How many nodes are needed when those that are asked for now can be ready, by what runs and waits and how long such tasks take; and how many nodes"
                    + " interference takes now, by predictions.",
            "Nodes that are on their way already are not known to YARN: take them off."
        })
final class NodeAdviceCommand extends OperatorCommand {
    @Option(
            names = "--preparation",
            paramLabel = "S",
            description = "It takes so many seconds from asking for a node until it runs (default: 300).")
    private Integer preparation;

    @Option(
            names = "--use",
            paramLabel = "PERCENT",
            description = "Compare with a threshold that keeps so much of the cluster in use (default: 80).")
    private Integer use;

    NodeAdviceCommand(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(
                Question.get("advice/nodes").with("preparation", preparation).with("use", use));
    }

    @Override
    String text(JsonNode answer) {
        Details lines = new Details();
        lines.add("nodes", Figure.text(answer.path("nodes")));
        if (answer.has("why")) {
            lines.add("no advice", Figure.text(answer.path("why")));
            return lines.print();
        }
        lines.add(
                "needed",
                "%s in %s (%+d)"
                        .formatted(
                                Figure.text(answer.path("needed")),
                                Figure.seconds(answer.path("preparationSeconds")),
                                answer.path("change").asInt()));
        lines.add("ask again", "in " + Figure.seconds(answer.path("againSeconds")));
        lines.add("running", tasks(answer.path("running")));
        JsonNode waiting = answer.path("waiting");
        String tooLarge = waiting.path("tooLarge").asLong() == 0
                ? ""
                : ", %s too large for any node".formatted(Figure.text(waiting.path("tooLarge")));
        lines.add("waiting", tasks(waiting) + tooLarge);
        lines.add("short now", amount(answer.path("shortageNow")));
        lines.add("short then", amount(answer.path("shortageThen")));
        lines.add("idle then", amount(answer.path("idleThen")));
        JsonNode threshold = answer.path("byUse");
        lines.add(
                "threshold",
                "%s nodes, as %s are in use and %s are to be"
                        .formatted(
                                Figure.text(threshold.path("nodes")),
                                Figure.percent(threshold.path("use")),
                                Figure.percent(threshold.path("desiredUse"))));
        JsonNode interference = answer.path("interference");
        lines.add(
                "interference",
                "takes %s nodes now, of %s containers known"
                        .formatted(
                                Figure.level(interference.path("nodes")),
                                Figure.text(interference.path("containers"))));
        return lines.print();
    }

    private static String tasks(JsonNode tasks) {
        return "%s containers, %s of unknown length"
                .formatted(Figure.text(tasks.path("tasks")), Figure.text(tasks.path("ofUnknownLength")));
    }

    private static String amount(JsonNode amount) {
        String memory = "%s MB".formatted(Figure.text(amount.path("memoryMb")));
        return amount.path("vcores").asLong() == 0
                ? memory
                : "%s, %s vcores".formatted(memory, Figure.text(amount.path("vcores")));
    }
}
