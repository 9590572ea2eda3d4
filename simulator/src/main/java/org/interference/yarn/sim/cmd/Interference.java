package org.interference.yarn.sim.cmd;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program {@code bin/interference}: a command for each question. */
@Command(
        name = "interference",
        synopsisSubcommandLabel = "COMMAND",
        description = "Interference-aware scheduling for YARN, from the command line.")
public final class Interference implements Callable<Integer> {
    private static final int BAD_INPUT = 2;
    private static final int FAILED = 1;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks for it.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private Interference() {}

    /** Ends the process at once when done: a ResourceManager leaves threads behind. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = commandLine(new SimulatedCells(), out, err).execute(arguments);
        out.flush();
        err.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Without a command there is nothing to do but say which ones there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return BAD_INPUT;
    }

    static CommandLine commandLine(Cells cells, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new Interference()).addSubcommand(new Simulate(cells));
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Interference::refuse);
        line.setExecutionExceptionHandler(Interference::fail);
        return line;
    }

    private static int refuse(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().printf("%s (bin/%s --help says more)%n", oneLine(e.getMessage()), name);
        return BAD_INPUT;
    }

    private static int fail(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        if (e instanceof BadInputException) {
            command.getErr().println(oneLine(e.getMessage()));
            return BAD_INPUT;
        }
        command.getErr().printf("The command failed, which is a defect of the program: %s%n", oneLine(e.toString()));
        return FAILED;
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
