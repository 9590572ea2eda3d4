package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A HiBench installation, of which every job gets a tree of its own: HiBench's scripts find themselves by their path, write their
 * report there, and delete their workload's one output folder before they begin. In the tree everything is a link but the folders
 * below {@code bin}, and {@code conf}: its outputs have the job's name, queue and tags are Spark's too, and the monitor, which logs in
 * on every node, does nothing. Scripts are to be run in the tree: those of SQL delete every Derby database below where they are run.
 * Immutable.
 *
 * @param home where HiBench is, configured and built
 * @param trees the folder of the trees
 */
record HiBench(Path home, Path trees, ScaleProfile scale) {
    private static final Pattern OUTPUT = folder("output");
    private static final Pattern INPUT = folder("input");
    /** What works in its input folder. */
    private static final String DFSIOE_WRITE = "run_write.sh";

    /** Asks before anything is written, of which an input folder of one's own has nothing. */
    private static final String SIZE_OF_INPUT = "SIZE=`dir_size $INPUT_HDFS`";

    static final String DFSIOE_READ = "run_read.sh";
    private static final String MONITOR = "monitor.py";
    private static final String MASTER = "${hibench.hdfs.master}";

    /** HiBench kills the process whose number is printed, but of several that a script starts only the last. */
    private static final String NO_MONITOR = "#!/bin/sh\ntail --pid=\"$2\" -f /dev/null >/dev/null 2>&1 &\necho $!\n";

    private static Pattern folder(String which) {
        return Pattern.compile("(?m)^(\\s*hibench\\.workload\\." + which + "\\s+\\S+)[ \\t]*$");
    }

    static void check(Path home) throws InputException {
        if (!Files.isDirectory(home.resolve("bin/workloads"))
                || !Files.isRegularFile(home.resolve("conf/hibench.conf"))) {
            throw new InputException(
                    "--hibench is %s, which has no bin/workloads and conf/hibench.conf".formatted(home));
        }
        for (String file : List.of("hadoop.conf", "spark.conf")) {
            if (!Files.isRegularFile(home.resolve("conf").resolve(file))) {
                throw new InputException(
                        "%s has no conf/%s: hibench-configs/README.md says what goes into it".formatted(home, file));
            }
        }
    }

    /** Returns the program of a workload, below a tree. */
    static String script(String workload) {
        return "bin/workloads/" + workload + (workload.endsWith(".sh") ? "" : "/run.sh");
    }

    private static String withoutFramework(String workload) {
        return workload.replaceFirst("/[^/]+(/[^/]+\\.sh)?$", "");
    }

    /** Returns what makes the workload's input, below a tree. */
    static String prepareScript(String workload) {
        return "bin/workloads/" + withoutFramework(workload) + "/prepare/prepare.sh";
    }

    /** Returns what a workload's input goes by. */
    static String input(String workload) {
        return withoutFramework(workload).replace('/', '-');
    }

    /** Returns the file that whoever prepares an input locks. */
    Path lock(String input) throws IOException {
        return Files.createDirectories(home.resolve("dispatch-prepared")).resolve(input + ".lock");
    }

    /**
     * Returns the folder of all inputs, by its own settings.
     *
     * @throws InputException if they do not say
     */
    String data() throws IOException, InputException {
        String folder = setting("hibench.hdfs.data.dir");
        return folder.contains(MASTER) ? folder.replace(MASTER, setting("hibench.hdfs.master")) : folder;
    }

    /** What stands further down counts, and in a file whose name comes later, as HiBench reads them. */
    private String setting(String name) throws IOException, InputException {
        Pattern line = Pattern.compile("(?m)^\\s*" + Pattern.quote(name) + "[ \\t]+(\\S+)");
        Path conf = home.resolve("conf");
        try (Stream<Path> files = Files.list(conf)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(file -> file.toString().endsWith(".conf"))
                    .sorted()
                    .toList()) {
                all.append(Files.readString(file)).append('\n');
            }
            return line.matcher(all)
                    .results()
                    .reduce((first, second) -> second)
                    .map(match -> match.group(1))
                    .orElseThrow(() -> new InputException("no file of %s has %s".formatted(conf, name)));
        }
    }

    Path tree(String name) {
        return trees.resolve(name);
    }

    /** Runs a job's workload in its tree, to the end of its client; what that says goes to the order's log. */
    void run(String run, Client.Order order) throws IOException, InterruptedException {
        Path tree = make(run, order.submission(), order.queue(), order.tags());
        String script = script(order.job().program());
        CommandClient.run(List.of(tree.resolve(script).toString()), tree, order);
    }

    /** Makes the tree of a run's job, if it is not there. */
    Path make(String run, Submission submission, String queue, List<String> tags) throws IOException {
        String instance = Integer.toString(submission.instance());
        return make(instance, submission.job().program(), run + "-" + instance, queue, tags);
    }

    /** Makes a tree for a script or a workload, if it is not there. */
    Path make(String name, String workload, String suffix, String queue, List<String> tags) throws IOException {
        Path tree = tree(name);
        if (Files.exists(tree.resolve("conf/zz-dispatch.conf"))) {
            return tree;
        }
        Files.createDirectories(tree);
        try (Stream<Path> entries = Files.list(home)) {
            for (Path entry : entries.toList()) {
                String file = entry.getFileName().toString();
                if (!List.of("bin", "conf", "report", "dispatch-prepared").contains(file)) {
                    link(tree.resolve(file), entry);
                }
            }
        }
        copy(home.resolve("bin"), tree.resolve("bin"), (from, to) -> {
            switch (from.getFileName().toString()) {
                case MONITOR -> program(to, NO_MONITOR);
                case DFSIOE_WRITE -> program(to, Files.readString(from).replace(SIZE_OF_INPUT, "SIZE=0"));
                default -> link(to, from);
            }
        });
        copy(home.resolve("conf"), tree.resolve("conf"), (from, to) -> {
            String text = OUTPUT.matcher(Files.readString(from)).replaceAll("$1-" + suffix);
            boolean worksInInput = workload.endsWith(DFSIOE_WRITE);
            Files.writeString(to, worksInInput ? INPUT.matcher(text).replaceAll("$1-" + suffix) : text);
        });
        // The last, and whole: it says that the tree is there.
        RunDirectory.write(tree.resolve("conf/zz-dispatch.conf"), """
                hibench.scale.profile %s
                hibench.report.dir %s
                spark.yarn.queue %s
                spark.yarn.tags %s
                spark.yarn.appMasterEnv.SPARKBENCH_PROPERTIES_FILES %s
                """.formatted(
                        scale.label(),
                        tree.resolve("report"),
                        queue,
                        String.join(",", tags),
                        tree.resolve("report").resolve(reported(workload)).resolve("conf/sparkbench/sparkbench.conf")));
        return tree;
    }

    /** Returns where HiBench keeps what it makes of a workload and how it is run, below its reports: a driver in the cluster reads its settings there. */
    private static Path reported(String workload) {
        Path folder = Path.of(workload.endsWith(".sh") ? workload.replaceFirst("/[^/]+$", "") : workload);
        return folder.getParent().getFileName().resolve(folder.getFileName());
    }

    private static void program(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private interface Step {
        void take(Path from, Path to) throws IOException;
    }

    private static void link(Path link, Path target) throws IOException {
        if (!Files.exists(link)) {
            Files.createSymbolicLink(link, target.toAbsolutePath());
        }
    }

    private static void copy(Path from, Path to, Step file) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                file.take(path, to.resolve(from.relativize(path).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
