package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs workloads of an installed HiBench, each in a tree of its own. Thread-safe. */
final class HiBenchClient implements Client {
    private static final String PREPARED = "prepared";

    private final HiBench hibench;
    private final String run;

    HiBenchClient(HiBench hibench, String run) {
        this.hibench = hibench;
        this.run = run;
    }

    @Override
    public void submit(Order order) throws IOException, InterruptedException {
        Path tree = tree(order.submission(), order.queue(), order.tags());
        CommandClient.run(
                List.of(tree.resolve(HiBench.script(order.job().program())).toString()), order);
    }

    private Path tree(Submission submission, String queue, List<String> tags) throws IOException {
        String instance = Integer.toString(submission.instance());
        return hibench.make(instance, run + "-" + instance, queue, tags);
    }

    /** Makes every job's tree, and runs each workload's prepare.sh once, one after the other. */
    void prepare(List<Submission> timetable, String queue, List<String> more, RunDirectory directory, Screen screen)
            throws InputException, IOException {
        List<String> done = new ArrayList<>();
        for (Submission submission : timetable) {
            tree(submission, submission.job().queue().orElse(queue), Tags.of(run, submission, more));
            String script = HiBench.prepareScript(submission.job().program());
            if (!done.contains(script)) {
                done.add(script);
                prepare(script, submission.job(), queue, directory, screen);
            }
        }
    }

    private void prepare(String script, Job job, String queue, RunDirectory directory, Screen screen)
            throws InputException, IOException {
        String name = "prepare-" + job.workload();
        List<String> tags = List.of("ifc:" + name);
        Path tree = hibench.make(name, run, queue, tags);
        if (Files.exists(tree.resolve(PREPARED)) || !Files.exists(tree.resolve(script))) {
            return;
        }
        screen.say("Prepares %s".formatted(job.program()));
        Order order =
                new Order(new Submission(0, Duration.ZERO, job), List.of(), queue, tags, directory.log(name), true);
        Client preparing = one -> CommandClient.run(List.of(tree.resolve(script).toString()), one);
        Optional<String> failure = Dispatcher.failureOf(preparing, order);
        if (failure.isPresent()) {
            throw new InputException("%s cannot be prepared: %s".formatted(job.program(), failure.get()));
        }
        Files.createFile(tree.resolve(PREPARED));
    }
}
