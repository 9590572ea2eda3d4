package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How large containers need to be. */
@Command(
        name = "kinds",
        sortOptions = false,
        description = {
            "How large the containers of each kind of task need to be, those that waste most first. ASKS, PEAK, P99 and ADVISED are MB of memory; RISK is how"
                    + " likely the next task needs more than is advised, at most; WASTED is memory that was given and not used, in hours of such containers.",
            "MIN WASTE and MAX THROUGHPUT are for applications that run a task again with what they ask for now when the size did not suffice; MapReduce and"
                    + " Spark do not. SETTINGS are ready to be copied."
        })
final class KindAdviceCommand extends ListCommand {
    private static final List<String> FIGURES = List.of(
            "/key",
            "/level",
            "/tasks",
            "/exhausted",
            "/given/memoryMb",
            "/given/vcores",
            "/used/peakMb",
            "/used/p99Mb",
            "/used/workingSetMb",
            "/used/cores",
            "/used/diskShare",
            "/wasted/memoryHours",
            "/wasted/coreHours",
            "/advised/memoryMb",
            "/advised/riskAtMost",
            "/minimumWaste/memoryMb",
            "/minimumWaste/riskAtMost",
            "/maximumThroughput/memoryMb",
            "/maximumThroughput/riskAtMost",
            "/savedShare",
            "/reason");

    @Option(names = "--contains", paramLabel = "TEXT", description = "Only those with this in their key.")
    private String contains;

    @Option(names = "--csv", description = "Print comma-separated values instead of a table.")
    private boolean csv;

    KindAdviceCommand(ProgramEnvironment surroundings) {
        super(surroundings, "kinds");
    }

    @Override
    Question question() {
        return Question.get("advice/kinds").with("contains", contains);
    }

    @Override
    String text(JsonNode answer) {
        return csv ? csv(answer.path("kinds")) : super.text(answer);
    }

    @Override
    Table table(JsonNode kinds) {
        Table table = new Table()
                .text("KEY", Room.CUT_END)
                .number("ASKS", Room.ALWAYS)
                .number("PEAK", Room.ALWAYS)
                .number("P99", Room.ALWAYS)
                .number("ADVISED", Room.ALWAYS)
                .number("RISK", Room.ALWAYS)
                .number("WASTED", Room.ALWAYS)
                .text("SETTINGS OR WHY NOT", Room.OR_NONE)
                .number("TASKS", Room.OR_NONE)
                .number("WORKING SET", Room.OR_NONE)
                .number("CORES", Room.OR_NONE)
                .number("OF", Room.OR_NONE)
                .number("DISK", Room.OR_NONE)
                .number("MIN WASTE", Room.OR_NONE)
                .number("MAX THROUGHPUT", Room.OR_NONE);
        for (JsonNode kind : kinds) {
            String key = Figure.text(kind.path("key"));
            table.row(
                    kind.path("visible").asBoolean(true) ? key : "another user's " + key,
                    Figure.text(kind.at("/given/memoryMb")),
                    Figure.text(kind.at("/used/peakMb")),
                    Figure.text(kind.at("/used/p99Mb")),
                    Figure.text(kind.at("/advised/memoryMb")),
                    risk(kind.at("/advised/riskAtMost")),
                    hours(kind.at("/wasted/memoryHours")),
                    settings(kind),
                    Figure.text(kind.path("tasks")),
                    Figure.text(kind.at("/used/workingSetMb")),
                    Figure.level(kind.at("/used/cores")),
                    Figure.text(kind.at("/given/vcores")),
                    Figure.percent(kind.at("/used/diskShare")),
                    Figure.text(kind.at("/minimumWaste/memoryMb")),
                    Figure.text(kind.at("/maximumThroughput/memoryMb")));
        }
        return table;
    }

    /** Up to a whole per cent: no risk is none. */
    private static String risk(JsonNode share) {
        return share.isNumber() ? "%.0f %%".formatted(Math.ceil(100 * share.doubleValue())) : Figure.NONE;
    }

    private static String hours(JsonNode hours) {
        String figure = Figure.level(hours);
        return figure.equals(Figure.NONE) ? figure : figure + " h";
    }

    private static String settings(JsonNode kind) {
        String settings = kind.path("settings").properties().stream()
                .map(setting ->
                        "%s=%s".formatted(setting.getKey(), setting.getValue().asText()))
                .collect(Collectors.joining(" "));
        return settings.isEmpty() ? Figure.text(kind.path("why")) : settings;
    }

    /** One line for each kind; what is absent is empty. */
    private static String csv(JsonNode kinds) {
        String heads = FIGURES.stream()
                .map(path -> path.substring(1).replace('/', '.'))
                .collect(Collectors.joining(","));
        return StreamSupport.stream(kinds.spliterator(), false)
                .map(kind -> FIGURES.stream()
                        .map(path -> cell(kind.at(path).asText()))
                        .collect(Collectors.joining(",", "", "," + cell(csvSettings(kind)) + "\n")))
                .collect(Collectors.joining("", heads + ",settings\n", ""));
    }

    private static String csvSettings(JsonNode kind) {
        return kind.has("settings") ? settings(kind).replaceFirst("^-$", "") : "";
    }

    private static String cell(String text) {
        return text.matches("(?s).*[,\"\\r\\n].*") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
