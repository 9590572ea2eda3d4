package org.interference.yarn.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.interference.yarn.cli.Table.Room;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How much each of several things counts, by comparing them in pairs. Asks nobody. */
@Command(
        name = "weights",
        sortOptions = false,
        description = {
            "How much does each of several things count, if of every two it is known how many times as important one is? SENSITIVITY is the weight times how many"
                    + " there are, so that its mean is 1.",
            "docs/advice.md has the file's format."
        })
final class WeightsCommand implements Callable<Integer> {
    private static final String QUEUES = "root.";
    private static final String SETTING = "yarn.interference.place.queue-sensitivity";
    /** What the setting takes. */
    private static final double LEAST_SENSITIVITY = 0.1;

    private final ProgramEnvironment surroundings;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A line for every two: ONE OTHER 2, or 1/2.")
    private Path file;

    @Option(
            names = "--of",
            paramLabel = "NAME=VALUE",
            split = ",",
            description =
                    "Also the weighted sum of these values, one for each name: how much a service with them counts.")
    private Map<String, Double> values = Map.of();

    WeightsCommand(ProgramEnvironment surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Map<String, Double> weights = weights();
        if (!values.isEmpty() && !values.keySet().equals(weights.keySet())) {
            throw badInput("--of must have a value for each of %s and for nothing else"
                    .formatted(String.join(", ", weights.keySet())));
        }
        spec.commandLine().getOut().print(text(weights));
        return InterferenceProgram.OK;
    }

    private Map<String, Double> weights() {
        try {
            return PairedComparisons.weights(Files.readAllLines(file));
        } catch (PairedComparisons.Refused e) {
            throw badInput("%s: %s".formatted(file, e.getMessage()));
        } catch (IOException e) {
            throw badInput("%s cannot be read (%s)"
                    .formatted(file, Files.exists(file) ? e.getMessage() : "there is no such file"));
        }
    }

    private String text(Map<String, Double> weights) {
        Table table = new Table()
                .text("NAME", Room.ALWAYS)
                .number("WEIGHT", Room.ALWAYS)
                .number("SENSITIVITY", Room.ALWAYS);
        weights.forEach((name, weight) -> table.row(name, format("%.3f", weight), sensitivity(weight, weights.size())));
        StringBuilder text = new StringBuilder(table.print(surroundings.width()));
        if (!values.isEmpty()) {
            double sum = weights.entrySet().stream()
                    .mapToDouble(weight -> weight.getValue() * values.get(weight.getKey()))
                    .sum();
            text.append(format("Weighted sum: %.3f%n", sum));
        }
        if (weights.keySet().stream().allMatch(name -> name.startsWith(QUEUES))) {
            text.append(weights.entrySet().stream()
                    .map(weight -> weight.getKey() + "=" + sensitivity(weight.getValue(), weights.size()))
                    .collect(Collectors.joining(",", SETTING + "=", "\n")));
        }
        return text.toString();
    }

    private static String sensitivity(double weight, int count) {
        return format("%.2f", Math.max(LEAST_SENSITIVITY, weight * count));
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private ParameterException badInput(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
