package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs workloads of an installed HiBench, each in a tree of its own. Thread-safe. */
final class HiBenchClient implements Client {
    private final HiBench hibench;
    private final PreparedInputs prepared;
    private final String run;

    HiBenchClient(HiBench hibench, PreparedInputs prepared, String run) {
        this.hibench = hibench;
        this.prepared = prepared;
        this.run = run;
    }

    @Override
    public void submit(Order order) throws IOException, InterruptedException {
        hibench.run(run, order);
    }

    /**
     * Makes every job's tree, and runs the prepare.sh of each workload, one after the other, unless an earlier run of this installation
     * has done so at this scale on this file system: whoever compares runs wants the same data.
     */
    void prepare(List<Submission> timetable, String queue, List<String> more, RunDirectory directory, Screen screen)
            throws InputException, IOException {
        requireOneReader(timetable);
        List<String> done = new ArrayList<>();
        for (Submission submission : timetable) {
            hibench.make(run, submission, submission.job().queue().orElse(queue), Tags.of(run, submission, more));
            String script = HiBench.prepareScript(submission.job().program());
            if (!done.contains(script)) {
                done.add(script);
                prepare(script, submission.job(), queue, directory, screen);
            }
        }
    }

    private static void requireOneReader(List<Submission> timetable) throws InputException {
        long readers = timetable.stream()
                .filter(submission -> submission.job().program().endsWith(HiBench.DFSIOE_READ))
                .count();
        if (readers > 1) {
            throw new InputException(
                    "%d jobs are dfsioe-read, which works in its input folder: a run can have one of them"
                            .formatted(readers));
        }
    }

    private void prepare(String script, Job job, String queue, RunDirectory directory, Screen screen)
            throws InputException, IOException {
        String name = "prepare-" + job.workload();
        List<String> tags = List.of("ifc:" + name);
        Path tree = hibench.make(name, script, run, queue, tags);
        if (!Files.exists(tree.resolve(script))) {
            screen.say("%s has no prepare.sh: it finds its data, or fails".formatted(job.program()));
            return;
        }
        String input = HiBench.input(job.program());
        try (FileChannel channel =
                FileChannel.open(hibench.lock(input), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Until the channel is closed: two runs at once would delete each other's data.
            channel.lock();
            if (prepared.has(input)) {
                screen.say("%s was prepared before; delete %s to have it done again"
                        .formatted(job.program(), prepared.mark(input)));
                return;
            }
            screen.say("Prepares %s".formatted(job.program()));
            prepared.remove(input);
            Order order =
                    new Order(new Submission(0, Duration.ZERO, job), List.of(), queue, tags, directory.log(name), true);
            Client preparing =
                    one -> CommandClient.run(List.of(tree.resolve(script).toString()), tree, one);
            Optional<String> failure = Dispatcher.failureOf(preparing, order);
            if (failure.isPresent()) {
                throw new InputException("%s cannot be prepared: %s".formatted(job.program(), failure.get()));
            }
            prepared.add(input);
        }
    }
}
