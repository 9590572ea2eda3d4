package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.interference.yarn.cli.rm.RmException;
import org.interference.yarn.dispatch.RunJournal.Entry;
import org.interference.yarn.dispatch.dag.Makeflow;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.Workflow;
import org.interference.yarn.dispatch.dag.WorkflowException;
import org.interference.yarn.dispatch.dag.yarn.RuleContainers;
import org.interference.yarn.dispatch.dag.yarn.WorkflowFolder;

/** What {@code --dag} does: reads a Makeflow file, and runs it in a run's folder. */
final class WorkflowCommand {
    private final Path file;
    private final Workflow workflow;

    private WorkflowCommand(Path file, Workflow workflow) {
        this.file = file;
        this.workflow = workflow;
    }

    static WorkflowCommand of(Path file) throws InputException {
        try {
            return new WorkflowCommand(
                    file,
                    Makeflow.of(
                            WorkloadTable.lines(file), kind(file), name -> Optional.ofNullable(System.getenv(name))));
        } catch (WorkflowException e) {
            throw refusal(file, e);
        }
    }

    private static InputException refusal(Path file, WorkflowException e) {
        return InputException.at(file.toString(), e.line(), e.getMessage());
    }

    /** Rules that name no category are of a kind with the file's name. */
    static String kind(Path file) {
        String name = file.getFileName()
                .toString()
                .toLowerCase(Locale.ROOT)
                .replaceFirst("\\.[a-z]+$", "")
                .replaceAll("[^a-z0-9._-]+", "-")
                .replaceFirst("^[._-]+", "");
        return name.isEmpty() ? "workflow" : name.substring(0, Math.min(name.length(), 60));
    }

    int rules() {
        return workflow.rules().size();
    }

    List<String> text() {
        return workflow.text();
    }

    /**
     * Runs what is left of it.
     *
     * @param files where the workflow's files are; empty for the folder of the Makeflow file
     * @param begun takes what stops the run, before anything is started
     */
    WorkflowResult run(
            RunDirectory directory,
            Configuration conf,
            Yarn yarn,
            Optional<String> files,
            String queue,
            List<String> tags,
            Screen screen,
            Consumer<Runnable> begun)
            throws InputException, IOException, RmException, InterruptedException {
        WorkflowFolder folder = folder(conf, files);
        List<Entry> before = RunJournal.read(directory.journal());
        if (before.isEmpty()) {
            Dispatcher.requireOwnName(yarn, directory.id());
        } else {
            // Containers of an earlier process would make the same targets.
            Killer.kill(yarn, directory.id(), conf);
        }
        try (RunJournal journal = RunJournal.open(directory.journal())) {
            WorkflowDispatch dispatch =
                    new WorkflowDispatch(directory.id(), workflow, journal, new WallClock(), screen);
            dispatch.resume(before, folder::exists);
            begun.accept(dispatch::stop);
            List<String> categories =
                    workflow.rules().stream().map(Rule::category).distinct().toList();
            RuleContainers containers = new RuleContainers(
                    conf,
                    new RuleContainers.Submission(
                            queue, kind -> Tags.of(directory.id(), kind, categories.indexOf(kind), tags)),
                    folder,
                    dispatch::ended);
            LocalRules local = new LocalRules(
                    folder.here().orElseGet(directory::path),
                    rule -> directory.log(Integer.toString(rule)),
                    Runtime.getRuntime().availableProcessors(),
                    dispatch::ended);
            return dispatch.run(containers, local);
        }
    }

    private WorkflowFolder folder(Configuration conf, Optional<String> files) throws InputException {
        // As Hadoop takes a path: nothing in it is escaped.
        String name = files.orElseGet(
                () -> "file://" + file.toAbsolutePath().normalize().getParent());
        try {
            WorkflowFolder folder = WorkflowFolder.of(conf, name);
            workflow.requireSources(folder::exists, folder.toString());
            for (Rule rule : workflow.rules()) {
                if (rule.local() && folder.here().isEmpty()) {
                    throw new WorkflowException(
                            rule.line(),
                            "is a LOCAL rule, which wants the workflow's files on this machine and not in " + folder);
                }
            }
            return folder;
        } catch (WorkflowException e) {
            throw refusal(file, e);
        } catch (IOException e) {
            throw new InputException("--dag-files is %s, which cannot be used: %s".formatted(name, e.getMessage()), e);
        }
    }
}
