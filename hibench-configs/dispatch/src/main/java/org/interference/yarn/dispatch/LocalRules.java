package org.interference.yarn.dispatch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.interference.yarn.dispatch.dag.FileUse;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleEnd;
import org.interference.yarn.dispatch.dag.RuleEnd.Outcome;
import org.interference.yarn.dispatch.dag.RuleRunner;

/** Runs the rules that are {@code LOCAL}: on this machine, in the workflow's folder itself, so many at once. Thread-safe. */
final class LocalRules implements RuleRunner {
    private static final String WHERE = "here";
    private static final File NOTHING = new File("/dev/null");

    private final Path folder;
    private final IntFunction<Path> log;
    private final ExecutorService threads;
    private final Consumer<RuleEnd> ends;
    private final Set<Process> processes = ConcurrentHashMap.newKeySet();

    /**
     * Runs nothing yet.
     *
     * @param log of a rule, by its number
     * @param ends takes how rules ended, from threads of this class
     */
    LocalRules(Path folder, IntFunction<Path> log, int atOnce, Consumer<RuleEnd> ends) {
        this.folder = folder;
        this.log = log;
        this.ends = ends;
        this.threads = Executors.newFixedThreadPool(atOnce);
    }

    @Override
    public void start(Rule rule) {
        threads.execute(() -> {
            try {
                run(rule);
                ends.accept(new RuleEnd(rule, Outcome.SUCCEEDED, WHERE, ""));
            } catch (IOException | RuntimeException e) {
                ends.accept(new RuleEnd(rule, Outcome.FAILED, WHERE, String.valueOf(e.getMessage())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void run(Rule rule) throws IOException, InterruptedException {
        for (FileUse target : rule.targets()) {
            Files.createDirectories(folder.resolve(target.name()).getParent());
        }
        Path said = log.apply(rule.number());
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", rule.command())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(NOTHING))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()));
        builder.environment().putAll(rule.environment());
        Process process = builder.start();
        processes.add(process);
        int status = process.waitFor();
        processes.remove(process);
        if (status != 0) {
            throw new IOException("ended with status %d; it said: %s".formatted(status, said));
        }
        for (FileUse target : rule.targets()) {
            if (!Files.exists(folder.resolve(target.name()))) {
                throw new IOException("the command has not made " + target.name());
            }
        }
    }

    @Override
    public void close(boolean complete) {
        threads.shutdownNow();
        processes.forEach(Process::destroy);
    }
}
