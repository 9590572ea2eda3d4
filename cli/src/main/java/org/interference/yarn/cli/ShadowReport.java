package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What switching on would change. */
@Command(
        name = "shadow-report",
        sortOptions = false,
        description = {
            "What switching on would change, by predictions, for the queues in shadow: nodes that were decided about, how many"
                    + " would have been given to another task that waited, or left, the mean slowdown of whom the parent served and of whom"
                    + " we would have, and the time saved with its 95 %% interval.",
            "Applications that you may not view are in the sums only."
        })
final class ShadowReport extends OperatorCommand {
    private static final Pattern LAST = Pattern.compile("([1-9][0-9]{0,5})([mhd])");

    @Option(names = "--from", paramLabel = "TIME", description = "Begin there, such as 2026-01-31T00:00:00Z.")
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "End there.")
    private Instant to;

    @Option(names = "--last", paramLabel = "TIME", description = "Begin so long ago: 90m, 24h or 7d.")
    private String last;

    ShadowReport(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        if (last != null && from != null) {
            throw badInput("--from and --last both say where to begin; give one of them");
        }
        Instant begin = last == null ? from : surroundings().clock().instant().minus(duration());
        return rm.ask(Question.get("shadow-report").with("from", begin).with("to", to));
    }

    private Duration duration() {
        Matcher matcher = LAST.matcher(last);
        if (!matcher.matches()) {
            throw badInput("--last is '%s' but must be minutes, hours or days such as 90m, 24h or 7d".formatted(last));
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    @Override
    String text(JsonNode report) {
        Details lines = new Details();
        lines.add("from", Figure.text(report.path("from")));
        lines.add("to", Figure.text(report.path("to")));
        lines.add("kept since", Figure.text(report.path("keptSince")));
        lines.add("checked", checked(report.path("predictions")));
        lines.add(
                "expected",
                Figure.percent(report.path("expected"))
                        + " of what offered nodes would save as predicted: that is told");
        Table queues = table("QUEUE");
        for (Map.Entry<String, JsonNode> queue : report.path("queues").properties()) {
            row(queues, queue.getKey(), queue.getValue());
        }
        row(queues, "all", report.path("all"));
        String text = lines.print() + "\n" + queues.print(width());
        if (report.path("applications").isEmpty()) {
            return text;
        }
        Table applications = table("APPLICATION");
        report.path("applications")
                .forEach(application -> row(applications, Figure.text(application.path("application")), application));
        return text + "\n" + applications.print(width());
    }

    private static String checked(JsonNode predictions) {
        if (predictions.path("checked").asInt() == 0) {
            return "no prediction was compared with what happened";
        }
        return "%s predictions, off by %s, %s on average (the prior by %s)"
                .formatted(
                        Figure.text(predictions.path("checked")),
                        Figure.percent(predictions.path("meanError")),
                        Figure.signedPercent(predictions.path("bias")),
                        Figure.percent(predictions.path("priorMeanError")));
    }

    private static Table table(String of) {
        return new Table()
                .text(of, Room.CUT_END)
                .number("PLACED", Room.ALWAYS)
                .number("OTHERWISE", Room.ALWAYS)
                .number("SLOWDOWN", Room.ALWAYS)
                .number("OURS", Room.ALWAYS)
                .number("SAVED", Room.ALWAYS)
                .text("95 %", Room.OR_NONE);
    }

    private static void row(Table table, String name, JsonNode difference) {
        JsonNode interval = difference.path("savedSecondsInterval");
        table.row(
                name,
                Figure.text(difference.path("placements")),
                Figure.text(difference.path("differing")),
                Figure.level(difference.path("parentsSlowdown")),
                Figure.level(difference.path("bestSlowdown")),
                Figure.seconds(difference.path("savedSeconds")),
                interval.size() == 2
                        ? "%s to %s".formatted(Figure.seconds(interval.get(0)), Figure.seconds(interval.get(1)))
                        : Figure.NONE);
    }
}
