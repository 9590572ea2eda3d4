package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Running and recently finished containers. */
@Command(
        name = "containers",
        sortOptions = false,
        description = {
            "Recently finished containers, then running ones, each with the signal of which it uses most.",
            "What of other users you may not view has no names. bin/interference explain CONTAINER says more of one."
        })
final class Containers extends ListCommand {
    @Option(names = "--node", paramLabel = "NODE", description = "Only on this node, host:port as YARN writes it.")
    private String node;

    @Option(names = "--application", paramLabel = "ID", description = "Only of this application.")
    private String application;

    @Option(names = "--state", paramLabel = "S", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private ContainerState state;

    /** Whether it still runs. */
    enum ContainerState {
        RUNNING,
        COMPLETED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Signals signals = Signals.NONE;

    Containers(ProgramEnvironment surroundings) {
        super(surroundings, "containers");
    }

    @Override
    Question question() {
        return Question.get("containers")
                .with("node", node)
                .with("application", application)
                .with("state", state);
    }

    @Override
    void askForText(RmClient rm) throws RmException {
        signals = Signals.of(rm);
    }

    @Override
    Table table(JsonNode containers) {
        return tableOf(containers, signals);
    }

    static Table tableOf(JsonNode containers, Signals signals) {
        Table table = new Table()
                .text("CONTAINER", Room.ALWAYS)
                .text("STATE", Room.ALWAYS)
                .text("NODE", Room.CUT_END)
                .text("TASK", Room.CUT_END)
                .text("MOST", Room.OR_NONE);
        for (JsonNode container : containers) {
            table.row(
                    Figure.ofContainer(container),
                    Figure.lowerCase(container.path("state")),
                    Figure.text(container.path("node")),
                    Figure.text(container.path("task")),
                    signals.highest(container.path("signals"), "level"));
        }
        return table;
    }
}
