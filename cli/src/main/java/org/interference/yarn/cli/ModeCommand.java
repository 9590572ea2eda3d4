package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows or switches the mode. */
@Command(
        name = "mode",
        sortOptions = false,
        description = {
            "Shows the mode of everything and of queues that have their own; or switches, for administrators.",
            "What is switched here lasts until yarn rmadmin -refreshQueues, off even then, or until the ResourceManager restarts."
        })
final class ModeCommand extends OperatorCommand {
    @Parameters(arity = "0..1", paramLabel = "MODE", description = "Switch to this: ${COMPLETION-CANDIDATES}.")
    private Mode mode;

    @Option(names = "--queue", paramLabel = "Q", description = "Switch this queue alone, such as root.etl.")
    private String queue;

    /** What is done with the plugin's decisions. */
    enum Mode {
        OFF,
        SHADOW,
        ON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    ModeCommand(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        if (mode == null) {
            if (queue != null) {
                throw badInput("--queue wants a mode to switch to: on, shadow or off");
            }
            return rm.ask(Status.HEALTH);
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("mode", mode.toString());
        if (queue != null) {
            body.put("queue", queue);
        }
        return rm.ask(Question.put("mode").withBody(body.toString()));
    }

    @Override
    String text(JsonNode answer) {
        if (mode != null) {
            return "%s %s until %sthe ResourceManager restarts.%n"
                    .formatted(
                            queue == null ? whole() : queue + " is",
                            mode,
                            mode == Mode.OFF ? "" : "yarn rmadmin -refreshQueues, or until ");
        }
        return modes(answer);
    }

    private String whole() {
        return mode == Mode.OFF ? "Everything is" : "Everything but queues with a mode of their own is";
    }

    private static String modes(JsonNode answer) {
        Details lines = new Details();
        lines.add("everything", Status.mode(answer));
        answer.path("queueModes")
                .properties()
                .forEach(each -> lines.add(each.getKey(), each.getValue().asText()));
        return lines.print();
    }
}
