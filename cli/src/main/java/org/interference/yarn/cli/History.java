package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.interference.yarn.cli.Table.Room;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a container that has ended used. */
@Command(
        name = "history",
        sortOptions = false,
        description = {
            "What a container that has ended used: in all, and in the mean of each step until END, which begins where the one before ends. READ, WRITTEN and NETWORK"
                    + " are bytes a second.",
            "Of the newest thousand that have ended."
        })
final class History extends OperatorCommand {
    private static final List<String> STEP = List.of(
            "endSeconds", "cores", "memoryMb", "readBytesPerSecond", "writeBytesPerSecond", "networkBytesPerSecond");

    @Parameters(paramLabel = "CONTAINER", description = "Its id, container_...")
    private String container;

    @Option(names = "--csv", description = "Print the steps as comma-separated values, and nothing else.")
    private boolean csv;

    History(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(Question.get("containers", container, "history"));
    }

    @Override
    String text(JsonNode answer) {
        return csv
                ? csv(answer.path("steps"))
                : summary(answer) + "\n" + table(answer.path("steps")).print(width());
    }

    private static String summary(JsonNode answer) {
        JsonNode all = answer.path("summary");
        Details lines = new Details();
        lines.add("container", Figure.text(answer.path("container")));
        lines.add("task", Figure.text(answer.path("task")));
        lines.add(
                "ended",
                "%s, %s on %s"
                        .formatted(
                                Figure.text(answer.path("endedAt")),
                                Figure.lowerCase(answer.path("ending")),
                                Figure.text(answer.path("node"))));
        lines.add("time", Figure.seconds(all.path("wallSeconds")));
        lines.add(
                "CPU",
                "%s, %s cores of %s"
                        .formatted(
                                Figure.seconds(all.path("cpuSeconds")),
                                Figure.level(all.path("cores")),
                                Figure.text(all.path("givenVcores"))));
        lines.add(
                "memory",
                "%s MB, at most %s MB of %s"
                        .formatted(
                                Figure.level(all.path("memoryMb")),
                                Figure.level(all.path("memoryPeakMb")),
                                Figure.level(all.path("givenMemoryMb"))));
        lines.add(
                "disks",
                "%s read, %s written, %s of the local directories held"
                        .formatted(
                                Figure.bytes(all.path("bytesRead")),
                                Figure.bytes(all.path("bytesWritten")),
                                Figure.percent(all.path("diskShare"))));
        lines.add("network", Figure.bytes(all.path("networkBytes")));
        return lines.print();
    }

    private static Table table(JsonNode steps) {
        Table table = new Table()
                .number("END", Room.ALWAYS)
                .number("CORES", Room.ALWAYS)
                .number("MEMORY MB", Room.ALWAYS)
                .number("READ", Room.ALWAYS)
                .number("WRITTEN", Room.ALWAYS)
                .number("NETWORK", Room.ALWAYS);
        steps.forEach(step -> table.row(
                Figure.seconds(step.path("endSeconds")),
                Figure.level(step.path("cores")),
                Figure.level(step.path("memoryMb")),
                Figure.bytes(step.path("readBytesPerSecond")),
                Figure.bytes(step.path("writeBytesPerSecond")),
                Figure.bytes(step.path("networkBytesPerSecond"))));
        return table;
    }

    /** One line for each step; what is absent is empty. */
    private static String csv(JsonNode steps) {
        return StreamSupport.stream(steps.spliterator(), false)
                .map(step -> STEP.stream()
                        .map(figure -> step.path(figure).asText())
                        .collect(Collectors.joining(",", "", "\n")))
                .collect(Collectors.joining("", String.join(",", STEP) + "\n", ""));
    }
}
