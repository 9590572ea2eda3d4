package org.interference.yarn.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import org.interference.yarn.cli.rm.RmException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The program {@code bin/interference}: a command for each question. */
@Command(
        name = "interference",
        synopsisSubcommandLabel = "COMMAND",
        description = "Interference-aware scheduling for YARN, from the command line.",
        footer = {
            "",
            "Every command but simulate, classify, weights, and plan without --live, asks the active ResourceManager, which --rm or"
                    + " Hadoop's configuration names.",
            "Exit status: 0 done, 1 failed or degraded, 2 bad input."
        })
public final class InterferenceProgram implements Callable<Integer> {
    static final int OK = 0;
    static final int FAILED = 1;
    private static final int BAD_INPUT = 2;

    /** Set by bin/interference where standard output is a terminal. */
    private static final String WIDTH = "interference.width";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks for it.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private InterferenceProgram() {}

    /** Ends the process at once when done, whatever threads Hadoop's client leaves behind. */
    public static void main(String[] arguments) {
        // What changes something must not be sent again by the library because the answer is late.
        System.setProperty("sun.net.http.retryPost", "false");
        // Before Hadoop's client logs anything; not log4j.properties, which would be that of whoever has this jar.
        System.setProperty("log4j.configuration", "cli-log4j.properties");
        ProgramEnvironment surroundings = new ProgramEnvironment(
                System::getenv, InstantSource.system(), Integer.getInteger(WIDTH, ProgramEnvironment.NO_TERMINAL));
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = commandLine(surroundings, out, err).execute(arguments);
        if (out.checkError() && status == OK) {
            err.println("The answer could not be written to the end.");
            status = FAILED;
        }
        err.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Without a command there is nothing to do but say which ones there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return BAD_INPUT;
    }

    /** Returns the program, which writes its answers to {@code out} and what went wrong to {@code err}. */
    static CommandLine commandLine(ProgramEnvironment surroundings, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new InterferenceProgram());
        List.of(
                        new Status(surroundings),
                        new Nodes(surroundings),
                        new Containers(surroundings),
                        new Explain(surroundings),
                        new History(surroundings),
                        new Pairs(surroundings),
                        new TrafficCommand(surroundings),
                        new CapacityCommand(surroundings),
                        new RelocationsCommand(surroundings),
                        new Profiles(surroundings),
                        new AdviceCommand(),
                        new ModelCommand(surroundings),
                        new ShadowReport(surroundings),
                        new ModeCommand(surroundings),
                        new Config(surroundings),
                        new Export(surroundings),
                        new Import(surroundings),
                        new PlanCommand(surroundings),
                        new WeightsCommand(surroundings),
                        new SimulateElsewhere(),
                        new ClassifyElsewhere())
                .forEach(line::addSubcommand);
        line.getSubcommands()
                .get("model")
                .addSubcommand(new ModelCommand.Retrain(surroundings))
                .addSubcommand(new ModelCommand.Rollback(surroundings));
        line.getSubcommands()
                .get("advice")
                .addSubcommand(new KindAdviceCommand(surroundings))
                .addSubcommand(new NodeAdviceCommand(surroundings));
        line.setOut(out);
        line.setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(Instant.class, InterferenceProgram::time);
        line.setParameterExceptionHandler(InterferenceProgram::refuse);
        line.setExecutionExceptionHandler(InterferenceProgram::fail);
        return line;
    }

    /** A command that stands here only so that it is listed: bin/interference starts another program in its place. */
    private abstract static class Elsewhere implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            throw new ParameterException(
                    spec.commandLine(),
                    "This is a program of its own, which bin/interference %s starts".formatted(spec.name()));
        }
    }

    @Command(
            name = "simulate",
            description =
                    "What would the scheduler do for a cluster? Runs a workload through real schedulers in virtual time,"
                            + " each seed under every policy, and compares them with the stock FairScheduler.")
    private static final class SimulateElsewhere extends Elsewhere {}

    @Command(
            name = "classify",
            description =
                    "Of which class is each signal of what IntP recorded into CSV files, and which files are alike?")
    private static final class ClassifyElsewhere extends Elsewhere {}

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            TypeConversionException refusal =
                    new TypeConversionException("'%s' is not a time such as 2026-01-31T00:00:00Z".formatted(text));
            refusal.initCause(e);
            throw refusal;
        }
    }

    private static int refuse(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().printf("%s (%s --help says more)%n", oneLine(e.getMessage()), name);
        return BAD_INPUT;
    }

    private static int fail(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        if (e instanceof RmException reason) {
            command.getErr().println(oneLine(reason.getMessage()));
            return reason.isQuestionsFault() ? BAD_INPUT : FAILED;
        }
        command.getErr().printf("The command failed, which is a defect of the program: %s%n", oneLine(e.toString()));
        return FAILED;
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
