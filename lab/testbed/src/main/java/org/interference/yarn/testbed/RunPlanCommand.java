package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.interference.yarn.demo.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is left of a plan: a line {@code POLICY REPETITION SEED} for each run that is not in the results. */
@Command(name = "plan", description = "Prints the runs that are still to be made, in their order.")
final class RunPlanCommand implements Callable<Integer> {
    @Option(names = "--results", required = true)
    private Path results;

    @Option(names = "--mix", required = true)
    private String mix;

    @Option(names = "--policies", required = true, split = ",")
    private List<String> policies;

    @Option(names = "--repetitions", required = true)
    private int repetitions;

    @Option(names = "--seed", required = true)
    private long seed;

    private final Progress progress;

    RunPlanCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException {
        RunPlan plan = new RunPlan(Mix.named(mix), policies, repetitions, seed);
        Set<RunKey> done =
                new ResultFiles(results).read().stream().map(RunResult::key).collect(Collectors.toSet());
        plan.runs().stream()
                .filter(run -> !done.contains(run))
                .forEach(run -> progress.plain(
                        "%s %d %d".formatted(run.policy(), run.repetition(), plan.seedOf(run.repetition()))));
        return 0;
    }
}
