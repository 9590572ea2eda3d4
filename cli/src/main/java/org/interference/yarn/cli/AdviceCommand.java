package org.interference.yarn.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What could be asked of YARN instead; each question is a command of its own. */
@Command(name = "advice", description = "What could be asked of YARN instead.")
final class AdviceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Advice on what? It is 'advice kinds' or 'advice nodes'");
    }
}
