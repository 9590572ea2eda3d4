package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Command;

/** Whether all is well. */
@Command(
        name = "status",
        sortOptions = false,
        description =
                "Is all well? Mode, problems, how many nodes are measured. Exit status 1 if something is degraded.")
final class Status extends OperatorCommand {
    static final Question HEALTH = Question.get("health");

    Status(ProgramEnvironment surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(RmClient rm) throws RmException {
        return rm.ask(HEALTH);
    }

    @Override
    int status(JsonNode health) {
        return health.path("status").asText().equals("OK") ? InterferenceProgram.OK : InterferenceProgram.FAILED;
    }

    @Override
    String text(JsonNode health) {
        Details lines = new Details();
        lines.add("status", Figure.text(health.path("status")));
        health.path("problems").forEach(problem -> lines.add("problem", problem.asText()));
        lines.add("mode", mode(health));
        health.path("queueModes")
                .properties()
                .forEach(queue ->
                        lines.add("", queue.getKey() + " " + queue.getValue().asText()));
        lines.add("predictor", Figure.text(health.path("predictor")));
        JsonNode breaker = health.path("breaker");
        lines.add(
                "breaker",
                "%s, %s errors in ten minutes".formatted(state(breaker), Figure.text(breaker.path("errors"))));
        lines.add(
                "profiles",
                "%s in %s".formatted(Figure.text(health.at("/store/profiles")), Figure.text(health.at("/store/file"))));
        JsonNode gauges = health.path("gauges");
        lines.add(
                "nodes",
                "%s measured, %s with reports that are too old, %s without any"
                        .formatted(
                                Figure.text(gauges.path("nodesFresh")),
                                Figure.text(gauges.path("nodesStale")),
                                Figure.text(gauges.path("nodesNeverSeen"))));
        if (gauges.has("oldestSampleAgeMs")) {
            lines.add(
                    "",
                    "the newest report of the quietest one is %s old"
                            .formatted(Figure.milliseconds(gauges.path("oldestSampleAgeMs"))));
        }
        lines.add("decisions", decisions(health.path("counters")));
        return lines.print();
    }

    private static String state(JsonNode breaker) {
        if (breaker.path("open").asBoolean()) {
            return "open";
        }
        return breaker.path("onTrial").asBoolean() ? "on trial" : "closed";
    }

    /** Returns the mode, and what it was set to if that is another one. */
    static String mode(JsonNode health) {
        String mode = Figure.text(health.path("mode"));
        String configured = Figure.text(health.path("configuredMode"));
        return mode.equals(configured) ? mode : "%s (set to %s)".formatted(mode, configured);
    }

    private static String decisions(JsonNode counters) {
        String prefix = "decisions.";
        String counted = counters.properties().stream()
                .filter(counter -> counter.getKey().startsWith(prefix)
                        && counter.getValue().asLong() > 0)
                .map(counter -> counter.getKey().substring(prefix.length()) + " "
                        + counter.getValue().asLong())
                .collect(Collectors.joining(", "));
        return counted.isEmpty() ? "none" : counted;
    }
}
