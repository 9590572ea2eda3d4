package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Workloads of an installed HiBench, at tiny scale, for who has a timetable of its own. Their inputs are to be there already: {@code bin/dispatch} makes them. What a
 * workload's programs find in their environment (HADOOP_CONF_DIR, HADOOP_OPTS) they have from this process. Thread-safe.
 */
public final class HiBenchJobs {
    private final HiBench hibench;
    private final Path logs;
    private final String run;

    /**
     * @param home where HiBench is, configured and built
     * @param folder for each job's tree and what its programs say; its name tells the outputs of one run from another's
     * @throws IOException if that is no HiBench, or the folder cannot be made
     */
    public HiBenchJobs(Path home, Path folder) throws IOException {
        try {
            HiBench.check(home);
        } catch (InputException e) {
            throw new IOException(e.getMessage(), e);
        }
        this.hibench = new HiBench(home, Files.createDirectories(folder.resolve("trees")), ScaleProfile.TINY);
        this.logs = Files.createDirectories(folder.resolve("logs"));
        this.run = folder.getFileName().toString();
    }

    /**
     * Runs a workload, and returns when its client has ended.
     *
     * @param name its kind
     * @param workload a folder below HiBench's bin/workloads: {@code micro/sort/spark}
     * @param number no other job's
     * @throws IOException if its client says that it failed; its log's path is in the message
     */
    public void run(String name, String workload, int number, String queue, List<String> tags)
            throws IOException, InterruptedException {
        Job job = new Job(
                name, Framework.HIBENCH, workload, Optional.empty(), List.of(), Optional.empty(), Optional.of(queue));
        Path log = logs.resolve(number + ".log");
        hibench.run(
                run, new Client.Order(new Submission(number, Duration.ZERO, job), List.of(), queue, tags, log, true));
    }
}
