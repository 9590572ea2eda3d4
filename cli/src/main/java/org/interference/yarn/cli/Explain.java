package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Why a container is where it is, and who slows it down. */
@Command(
        name = "explain",
        sortOptions = false,
        description = "Why a container is where it is, what it uses, who slows it down, and what could be done.")
final class Explain extends OperatorCommand {
    @Parameters(paramLabel = "CONTAINER", description = "Its id, container_...")
    private String container;

    Explain(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(Question.get("containers", container, "explain"));
    }

    @Override
    String text(JsonNode answer) {
        JsonNode it = answer.path("container");
        Details lines = new Details();
        lines.add("container", Figure.ofContainer(it));
        lines.add("task", Figure.text(it.path("task")));
        String outcome = it.has("outcome") ? ", " + Figure.lowerCase(it.path("outcome")) : "";
        lines.add("state", Figure.lowerCase(it.path("state")) + outcome + " on " + Figure.text(it.path("node")));
        lines.add("slowdown", answer.has("slowdown") ? slowdown(answer) : "nothing is known yet");
        if (answer.has("wait")) {
            lines.add("wait", waiting(answer.path("wait")));
        }
        lines.add(
                "placed",
                answer.has("decision") ? placed(answer.path("decision")) : "the decision is not kept any more");
        answer.path("advice").forEach(advice -> lines.add("advice", advice.asText()));
        StringBuilder text = new StringBuilder(lines.print());
        if (answer.path("decision").has("offer")) {
            text.append('\n')
                    .append(offer(answer.path("decision").path("offer")).print(width()));
        }
        if (!answer.path("pairs").isEmpty()) {
            text.append('\n').append(Pairs.tableOf(answer.path("pairs")).print(width()));
        }
        if (!it.path("preemptedBy").isEmpty()) {
            text.append('\n').append(takers(it.path("preemptedBy")).print(width()));
        }
        if (!it.path("signals").isEmpty()) {
            text.append('\n').append(signals(it.path("signals")).print(width()));
        }
        return text.toString();
    }

    /** Who took its CPU, as its node counted it. */
    private static Table takers(JsonNode preemptedBy) {
        Table table = new Table().text("TAKES ITS CPU", Room.ALWAYS).number("TIMES A SECOND", Room.ALWAYS);
        preemptedBy.forEach(taker -> table.row(Figure.ofTaker(taker), Figure.level(taker.path("perSecond"))));
        return table;
    }

    private static String slowdown(JsonNode answer) {
        String interval = answer.has("slowdownAtMost")
                ? ", nine in ten from %s to %s"
                        .formatted(
                                Figure.level(answer.path("slowdownAtLeast")),
                                Figure.level(answer.path("slowdownAtMost")))
                : "";
        return Figure.level(answer.path("slowdown")) + " (1 is alone), by predictions" + interval;
    }

    private static String waiting(JsonNode wait) {
        return "%s of its time for a CPU, with the node's CPUs %s busy%s"
                .formatted(
                        Figure.percent(wait.path("level")),
                        Figure.percent(wait.path("nodeCpu")),
                        wait.path("throttled").asBoolean()
                                ? ": its own CPU limit slows it down, not its neighbours"
                                : "");
    }

    private static String placed(JsonNode decision) {
        return "%s (%s, %s, at %s)"
                .formatted(
                        Figure.text(decision.path("explanation")),
                        Figure.text(decision.path("reason")),
                        Figure.text(decision.path("mode")),
                        Figure.text(decision.path("at")));
    }

    /** Who waited for the node, in the parent's order. */
    private static Table offer(JsonNode offer) {
        boolean on = offer.path("mode").asText().equals("on");
        Table table = new Table()
                .text("WAITED", Room.ALWAYS)
                .number("GAIN", Room.ALWAYS)
                .number("AT MOST", Room.ALWAYS)
                .number("ABOVE USUAL", Room.ALWAYS)
                .number("SLOWDOWN", Room.ALWAYS)
                .text("OUTCOME", Room.CUT_END);
        for (int place = 0; place < offer.path("contenders").size(); place++) {
            JsonNode contender = offer.path("contenders").path(place);
            boolean won = offer.path("winner").asInt(-1) == place;
            String outcome = won ? (on ? "got it" : "would have got it") : "";
            String parents = place > 0 ? "" : on && !won ? "would have got it without us" : "the parent's first";
            table.row(
                    String.valueOf(place + 1),
                    Figure.level(contender.path("gain")),
                    Figure.level(contender.path("gainAtMost")),
                    Figure.signed(contender.path("aboveUsual")),
                    Figure.level(contender.path("ownSlowdown")),
                    outcome + (outcome.isEmpty() || parents.isEmpty() ? "" : ", ") + parents);
        }
        return table;
    }

    private static Table signals(JsonNode signals) {
        Table table = new Table()
                .text("SIGNAL", Room.ALWAYS)
                .number("LEVEL", Room.ALWAYS)
                .number("MEAN", Room.ALWAYS)
                .text("SOURCE", Room.CUT_END)
                .text("STATUS", Room.CUT_END);
        for (Map.Entry<String, JsonNode> signal : signals.properties()) {
            JsonNode reading = signal.getValue();
            String reason = reading.path("reason").asText();
            table.row(
                    signal.getKey(),
                    Figure.level(reading.path("level")),
                    Figure.level(reading.path("mean")),
                    Figure.text(reading.path("source")),
                    Figure.text(reading.path("status")) + (reason.isEmpty() ? "" : ": " + reason));
        }
        return table;
    }
}
