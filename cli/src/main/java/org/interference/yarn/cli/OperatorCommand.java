package org.interference.yarn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One question to the plugin, whose answer is printed as text or as it came. */
abstract class OperatorCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_WAIT_SECONDS = 3600;

    private final ProgramEnvironment surroundings;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rm",
            paramLabel = "URL",
            split = ",",
            order = 100,
            description = "The ResourceManager's web address, or several, with commas"
                    + " (default: as yarn-site.xml in HADOOP_CONF_DIR says).")
    private List<String> rms = List.of();

    @Option(names = "--json", order = 101, description = "Print the plugin's JSON instead of tables.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            defaultValue = "10",
            order = 102,
            description = "Wait so many seconds for each answer (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(
            names = {"-v", "--verbose"},
            order = 103,
            description = "Say which ResourceManager answered.")
    private boolean verbose;

    OperatorCommand(ProgramEnvironment surroundings) {
        this.surroundings = surroundings;
    }

    /** Returns what the plugin answers. */
    abstract JsonNode ask(RmClient rm) throws RmException;

    /** Returns {@code answer} for people; it ends with a line's end. */
    abstract String text(JsonNode answer);

    /** Returns the status that the program ends with. */
    int status(JsonNode answer) {
        return InterferenceProgram.OK;
    }

    @Override
    public final Integer call() throws RmException {
        JsonNode answer = answer();
        spec.commandLine().getOut().print(json ? pretty(answer) : text(answer));
        return status(answer);
    }

    /** Returns the answer. */
    JsonNode answer() throws RmException {
        if (timeoutSeconds < 1 || timeoutSeconds > LONGEST_WAIT_SECONDS) {
            throw badInput("--timeout is %d but must be from 1 to %d".formatted(timeoutSeconds, LONGEST_WAIT_SECONDS));
        }
        PrintWriter err = spec.commandLine().getErr();
        RmClient rm = RmClient.of(
                rms, surroundings.user(), Duration.ofSeconds(timeoutSeconds), surroundings.environment(), line -> {
                    if (verbose) {
                        err.println(line);
                    }
                });
        JsonNode answer = ask(rm);
        if (!json) {
            askForText(rm);
        }
        return answer;
    }

    /** Asks what {@link #text} needs besides the answer. */
    void askForText(RmClient rm) throws RmException {}

    ProgramEnvironment surroundings() {
        return surroundings;
    }

    int width() {
        return surroundings.width();
    }

    ParameterException badInput(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private static String pretty(JsonNode answer) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try {
            return JSON.writer(printer).writeValueAsString(answer) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree that was read cannot be written", e);
        }
    }
}
