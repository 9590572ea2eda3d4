package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The nodes and what their containers press, or one of them with its containers. */
@Command(
        name = "nodes",
        sortOptions = false,
        description = {
            "Each node, whether it is measured, and what its containers press together; or one node and its containers.",
            "NEW were placed there and are not measured yet. Levels are shares of the node, or what docs/signals.md says."
        })
final class Nodes extends ListCommand {
    @Parameters(arity = "0..1", paramLabel = "NODE", description = "A node as YARN writes it, host:port.")
    private String node;

    @Option(names = "--state", paramLabel = "S", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private NodeState state;

    @Option(names = "--contains", paramLabel = "TEXT", description = "Only those with this in their name.")
    private String contains;

    private Signals signals = Signals.NONE;

    /** Whether a node's counters arrive. */
    enum NodeState {
        FRESH,
        STALE,
        UNMEASURED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Nodes(ProgramEnvironment surroundings) {
        super(surroundings, "nodes");
    }

    @Override
    Question question() {
        return Question.get("nodes").with("state", state).with("contains", contains);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return node == null ? super.ask(rm) : rm.ask(Question.get("nodes", node));
    }

    @Override
    void askForText(RmClient rm) throws RmException {
        signals = Signals.of(rm);
    }

    @Override
    Table table(JsonNode nodes) {
        Set<String> measured = new LinkedHashSet<>();
        nodes.forEach(each -> each.path("levels").fieldNames().forEachRemaining(measured::add));
        List<String> shown = signals.inOrder(measured);
        Table table = new Table()
                .text("NODE", Room.CUT_END)
                .text("STATE", Room.ALWAYS)
                .number("AGE", Room.ALWAYS)
                .number("TASKS", Room.ALWAYS)
                .number("NEW", Room.ALWAYS);
        shown.forEach(signal -> table.number(signal.toUpperCase(Locale.ROOT), Room.OR_NONE));
        for (JsonNode each : nodes) {
            List<String> row = new ArrayList<>(List.of(
                    Figure.text(each.path("node")),
                    state(each),
                    Figure.milliseconds(each.path("ageMs")),
                    Figure.text(each.path("containers")),
                    Figure.text(each.path("pending"))));
            shown.forEach(signal -> row.add(Figure.level(each.path("levels").path(signal))));
            table.row(row);
        }
        return table;
    }

    @Override
    String text(JsonNode answer) {
        if (node == null) {
            return super.text(answer);
        }
        JsonNode it = answer.path("node");
        JsonNode levels = it.path("levels");
        List<String> measured = new ArrayList<>();
        levels.fieldNames().forEachRemaining(measured::add);
        Details lines = new Details();
        lines.add("node", Figure.text(it.path("node")));
        String reason = it.path("reason").asText();
        lines.add("state", state(it) + (reason.isEmpty() ? "" : ": " + reason));
        lines.add("newest", Figure.milliseconds(it.path("ageMs")) + " ago");
        lines.add(
                "tasks",
                "%s measured (%s of them frozen), %s placed and not measured yet"
                        .formatted(
                                Figure.text(it.path("containers")),
                                Figure.text(it.path("frozen")),
                                Figure.text(it.path("pending"))));
        lines.add(
                "levels",
                signals.inOrder(measured).stream()
                        .map(signal -> signal + " " + Figure.level(levels.path(signal)))
                        .collect(Collectors.joining(", ")));
        JsonNode itself = it.path("figures");
        if (!itself.isEmpty()) {
            lines.add("itself", levels(itself));
        }
        it.path("untold")
                .properties()
                .forEach(metric -> lines.add("untold", metric.getKey() + ": " + Figure.text(metric.getValue())));
        if (it.has("outsideCpu")) {
            lines.add("outside", Figure.level(it.path("outsideCpu")) + " of its CPUs, of no container");
        }
        if (it.has("outside")) {
            lines.add("as neighbour", "outside of all containers: " + levels(it.path("outside")));
        }
        JsonNode containers = answer.path("containers");
        return lines.print()
                + (containers.isEmpty()
                        ? ""
                        : "\n" + Containers.tableOf(containers, signals).print(width()));
    }

    private static String levels(JsonNode byName) {
        return byName.properties().stream()
                .map(one -> one.getKey() + " " + Figure.level(one.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String state(JsonNode node) {
        if (node.path("fresh").asBoolean()) {
            return "fresh";
        }
        return node.has("ageMs") ? "stale" : "unmeasured";
    }
}
