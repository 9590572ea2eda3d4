package org.interference.yarn.testbed;

import java.io.PrintStream;
import java.time.InstantSource;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.testbed.cores.CoreRunCommand;
import org.interference.yarn.testbed.cores.CoreSummaryCommand;
import org.interference.yarn.testbed.services.ServiceRunCommand;
import org.interference.yarn.testbed.services.ServiceSummaryCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The part of bin/testbed that knows YARN and statistics. */
@Command(
        name = "testbed",
        subcommands = {
            ConfigurationCommand.class,
            RunPlanCommand.class,
            RunCommand.class,
            ShuffleCommand.class,
            PrecisionCommand.class,
            SummaryCommand.class,
            ServiceRunCommand.class,
            ServiceSummaryCommand.class,
            CoreRunCommand.class,
            CoreSummaryCommand.class
        },
        description = "What bin/testbed calls.")
public final class Testbed {
    private Testbed() {}

    /** Ends the process at once when done: Hadoop's clients leave threads behind. */
    public static void main(String[] arguments) {
        PrintStream screen = System.out;
        Progress progress = new Progress(screen, InstantSource.system());
        CommandLine line = new CommandLine(new Testbed(), new Commands(progress));
        line.setExecutionExceptionHandler((problem, command, parsed) -> {
            // A setting that cannot be is a sentence; anything else is ours to explain.
            if (!(problem instanceof IllegalArgumentException)) {
                problem.printStackTrace();
            }
            System.err.println(problem.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        int status = line.execute(arguments);
        screen.flush();
        Runtime.getRuntime().halt(status);
    }
}
