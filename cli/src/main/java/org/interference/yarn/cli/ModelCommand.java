package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.stream.Collectors;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Who predicts, and how well. */
@Command(
        name = "model",
        sortOptions = false,
        description =
                "Who predicts slowdowns, and how well: errors, versions, trainings. Errors are shares of the slowdown.")
final class ModelCommand extends OperatorCommand {
    private static final int MOST_ROWS = 12;

    ModelCommand(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(Question.get("model"));
    }

    @Override
    String text(JsonNode model) {
        Details lines = new Details();
        lines.add("predictor", Figure.text(model.path("predictor")));
        String version =
                model.has("version") ? ", version " + model.path("version").asInt() : "";
        lines.add("champion", Figure.text(model.path("champion")) + version);
        String errors = model.path("liveErrors").properties().stream()
                .map(error -> error.getKey() + " " + Figure.percent(error.getValue()))
                .collect(Collectors.joining(", "));
        lines.add("errors", errors.isEmpty() ? "none measured yet" : errors);
        if (model.has("intervalCover")) {
            lines.add(
                    "intervals",
                    Figure.percent(model.path("intervalCover")) + " of what happened is within; 90 % is right");
        }
        lines.add(
                "learnt",
                "from %s observations (%s to train on, %s held out), drifts: %s"
                        .formatted(
                                Figure.text(model.path("observed")),
                                Figure.text(model.path("rows")),
                                Figure.text(model.path("heldOut")),
                                Figure.text(model.path("drifts"))));
        lines.add("corrected", corrected(model));
        return lines.print()
                + section("VERSIONS", versions(model.path("versions")), model.path("versions"))
                + section("LATEST TRAININGS", rounds(model.path("rounds")), model.path("rounds"))
                + section("PREDICTIONS, BY HOUR", history(model.path("history")), model.path("history"));
    }

    private static String corrected(JsonNode model) {
        JsonNode cluster = model.path("cluster");
        return "prior to the power of %s, model of %s; kinds on their own: %s"
                .formatted(
                        Figure.level(cluster.path("exponentOfPrior")),
                        Figure.level(cluster.path("exponentOfModel")),
                        model.path("kinds").size());
    }

    private String section(String title, Table table, JsonNode rows) {
        return rows.isEmpty() ? "" : "\n%s%n%s".formatted(title, table.print(width()));
    }

    private static Table versions(JsonNode versions) {
        Table table = new Table()
                .number("VERSION", Room.ALWAYS)
                .text("MODEL", Room.CUT_END)
                .number("ERROR", Room.ALWAYS)
                .number("PRIOR'S", Room.ALWAYS)
                .number("ROWS", Room.ALWAYS)
                .text("TRAINED", Room.ALWAYS);
        for (JsonNode version : versions) {
            table.row(
                    Figure.text(version.path("version")),
                    Figure.text(version.path("model")),
                    Figure.percent(version.path("error")),
                    Figure.percent(version.path("priorError")),
                    Figure.text(version.path("rows")),
                    Figure.text(version.path("trainedAt")));
        }
        return table;
    }

    private static Table rounds(JsonNode rounds) {
        Table table = new Table()
                .text("AT", Room.ALWAYS)
                .text("BECAUSE OF", Room.ALWAYS)
                .number("ROWS", Room.ALWAYS)
                .number("VERSION", Room.ALWAYS)
                .text("REASON", Room.CUT_END);
        for (int i = Math.max(0, rounds.size() - MOST_ROWS); i < rounds.size(); i++) {
            JsonNode round = rounds.get(i);
            table.row(
                    Figure.text(round.path("at")),
                    Figure.lowerCase(round.path("trigger")),
                    Figure.text(round.path("rows")),
                    Figure.text(round.path("version")),
                    Figure.text(round.path("reason")));
        }
        return table;
    }

    private static Table history(JsonNode hours) {
        Table table = new Table()
                .text("FROM", Room.ALWAYS)
                .number("CHECKED", Room.ALWAYS)
                .number("ERROR", Room.ALWAYS)
                .number("BIAS", Room.ALWAYS)
                .number("PRIOR'S ERROR", Room.ALWAYS);
        for (int i = Math.max(0, hours.size() - MOST_ROWS); i < hours.size(); i++) {
            JsonNode hour = hours.get(i);
            table.row(
                    Figure.text(hour.path("from")),
                    Figure.text(hour.path("predictions")),
                    Figure.percent(hour.path("meanError")),
                    Figure.signedPercent(hour.path("bias")),
                    Figure.percent(hour.path("priorMeanError")));
        }
        return table;
    }

    /** Asks for a training. */
    @Command(
            name = "retrain",
            sortOptions = false,
            description = "Train as soon as the training thread is free; for administrators.")
    static final class Retrain extends OperatorCommand {
        Retrain(ProgramEnvironment surroundings) {
            super(surroundings);
        }

        @Override
        JsonNode ask(RmClient rm) throws RmException {
            return rm.ask(Question.post("model", "retrain"));
        }

        @Override
        String text(JsonNode answer) {
            return "It will train as soon as the training thread is free; interference model shows what came of it.\n";
        }
    }

    /** Makes an earlier version the champion. */
    @Command(
            name = "rollback",
            sortOptions = false,
            description = "Make an earlier version the champion; for administrators.")
    static final class Rollback extends OperatorCommand {
        @Parameters(paramLabel = "VERSION", description = "Its number, as interference model shows it.")
        private int version;

        Rollback(ProgramEnvironment surroundings) {
            super(surroundings);
        }

        @Override
        JsonNode ask(RmClient rm) throws RmException {
            if (version < 1) {
                throw badInput("VERSION is %d but must be at least 1".formatted(version));
            }
            JsonNode body = JsonNodeFactory.instance.objectNode().put("version", version);
            return rm.ask(Question.post("model", "rollback").withBody(body.toString()));
        }

        @Override
        String text(JsonNode answer) {
            return "Version %s is the champion.%n".formatted(Figure.text(answer.path("version")));
        }
    }
}
