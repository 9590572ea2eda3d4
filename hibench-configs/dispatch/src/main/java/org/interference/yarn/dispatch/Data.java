package org.interference.yarn.dispatch;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Makes the data sets that jobs read, once and before the timetable begins; what is there from an earlier run is used. */
final class Data {
    /** Input formats leave out what begins so. */
    private static final String DONE = "_PREPARED";

    private final Configuration conf;
    private final WorkloadTable table;
    private final Map<Framework, Client> clients;
    private final Screen screen;

    Data(Configuration conf, WorkloadTable table, Map<Framework, Client> clients, Screen screen) {
        this.conf = conf;
        this.table = table;
        this.clients = Map.copyOf(clients);
        this.screen = screen;
    }

    /** Returns where the folder {@code work} is, with its file system. */
    static String qualified(Configuration conf, String work) throws IOException {
        Path path = new Path(work);
        FileSystem files = path.getFileSystem(conf);
        return files.makeQualified(path).toString();
    }

    void prepare(List<Submission> timetable, Places places, String queue, RunDirectory directory)
            throws InputException, IOException {
        List<String> names = timetable.stream()
                .flatMap(submission -> submission.job().data().stream())
                .distinct()
                .sorted()
                .toList();
        for (String name : names) {
            Path path = new Path(places.data(name));
            FileSystem files = path.getFileSystem(conf);
            if (!files.exists(new Path(path, DONE))) {
                // Apart, as another run may be making the same: who is first has made it.
                Path own = path.suffix("." + directory.id());
                files.delete(own, true);
                make(name, own.toString(), places, queue, directory);
                files.create(new Path(own, DONE)).close();
                if (files.exists(new Path(path, DONE))) {
                    files.delete(own, true);
                } else {
                    files.delete(path, true);
                    files.rename(own, path);
                }
            }
        }
        for (Submission submission : timetable) {
            Path parent = new Path(places.output(submission.instance())).getParent();
            parent.getFileSystem(conf).mkdirs(parent);
        }
    }

    private void make(String name, String path, Places places, String queue, RunDirectory directory)
            throws InputException {
        Job job = table.data(name)
                .flatMap(workload -> workload.standIn(places.scale()))
                .orElseThrow(() -> new InputException("workloads.tsv has no data set '%s'".formatted(name)));
        screen.say("Makes the data set %s (%s)".formatted(name, places.scale().label()));
        Client.Order order = new Client.Order(
                new Submission(0, Duration.ZERO, job),
                places.filled(job, path),
                queue,
                List.of("ifc:make-" + name),
                directory.log("data-" + name),
                true);
        Optional<String> failure = Dispatcher.failureOf(clients.get(job.framework()), order);
        if (failure.isPresent()) {
            throw new InputException("The data set %s cannot be made: %s".formatted(name, failure.get()));
        }
    }
}
