package org.interference.yarn.dispatch;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;
import org.interference.yarn.dispatch.RunJournal.Entry;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code bin/dispatch}. */
@Command(
        name = "dispatch",
        sortOptions = false,
        description =
                "Submits jobs to YARN by a timetable, without waiting for any to end, and records what became of them.",
        footer = {
            "",
            "The same arguments give the same timetable. With the --run-dir of an interrupted run it goes on, and submits nothing"
                    + " twice; Ctrl-C stops submitting and leaves alone what was submitted.",
            "Exit status: 0 every job succeeded, 1 not so, 2 bad input."
        })
public final class Dispatch implements Callable<Integer> {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(20);

    /** Set by bin/dispatch. */
    private static final String TABLE = "dispatch.workloads";

    private static final String SPARK_JOBS = "dispatch.spark-jobs";
    private static final String TERMINAL = "dispatch.terminal";

    @Spec
    private CommandSpec spec;

    @Mixin
    private SubmissionPlan plan;

    @Option(names = "--kill", description = "Instead: kill what the run of --run-dir has submitted and is not over.")
    private boolean kill;

    @Option(
            names = "--queue",
            defaultValue = "default",
            description = "Queue of jobs that name none (default: ${DEFAULT-VALUE}).")
    private String queue;

    @Option(names = "--tag", description = "A further application tag; up to seven.")
    private List<String> tags = List.of();

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "Folder of the run, whose name is its id (default: runs/<time>).")
    private Optional<Path> runDirectory = Optional.empty();

    @Option(
            names = "--work-dir",
            defaultValue = "dispatch",
            paramLabel = "PATH",
            description =
                    "Where data sets and output are on the cluster's file system (default: ${DEFAULT-VALUE} in the user's"
                            + " home).")
    private String work;

    @Option(
            names = "--rm",
            paramLabel = "URL",
            split = ",",
            description = "The ResourceManager's web address (default: as yarn-site.xml in HADOOP_CONF_DIR says).")
    private List<String> rms = List.of();

    @Option(
            names = "--spark-home",
            paramLabel = "DIR",
            description =
                    "Spark's installation (default: SPARK_HOME, or what mvn -Pspark package -pl :spark-jobs has put together).")
    private Optional<Path> sparkHome = Optional.empty();

    @Option(names = "--spark-conf", paramLabel = "KEY=VALUE", description = "A property of every Spark application.")
    private Map<String, String> sparkSettings = Map.of();

    @Option(
            names = "--look-every",
            defaultValue = "2s",
            converter = Seconds.class,
            paramLabel = "TIME",
            description = "How often YARN is asked what runs where (default: ${DEFAULT-VALUE}).")
    private Duration lookEvery;

    @Option(names = "--dry-run", description = "Print the timetable, and do nothing.")
    private boolean dryRun;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks for it.
    private boolean help;

    private Dispatch() {}

    /** Ends the process when done: clients leave threads behind. */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = commandLine(out, err).execute(arguments);
        out.flush();
        err.flush();
        Runtime.getRuntime().halt(status);
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new Dispatch())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Dispatch::refuse)
                .setExecutionExceptionHandler(Dispatch::fail);
    }

    private static int refuse(ParameterException e, String[] arguments) {
        e.getCommandLine().getErr().printf("%s (bin/dispatch --help says more)%n", oneLine(e.getMessage()));
        return BAD_INPUT;
    }

    private static int fail(Exception e, CommandLine command, CommandLine.ParseResult arguments) {
        if (e instanceof InputException || (e instanceof RmException reason && reason.isQuestionsFault())) {
            command.getErr().println(oneLine(e.getMessage()));
            return BAD_INPUT;
        }
        command.getErr().println(oneLine(e instanceof RmException ? e.getMessage() : "dispatch failed: " + e));
        return FAILED;
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    @Override
    public Integer call() throws InputException, IOException, RmException, InterruptedException {
        checkOptions();
        if (kill) {
            return kill();
        }
        if (plan.workflow().isPresent()) {
            WorkflowCommand workflow = WorkflowCommand.of(plan.workflow().get());
            return inDirectory(workflow.text(), true, directory -> dispatch(directory, workflow));
        }
        WorkloadTable table = WorkloadTable.read(Path.of(System.getProperty(TABLE, "hibench-configs/workloads.tsv")));
        List<Submission> timetable = plan.timetable(table);
        Optional<LoadTest> loadTest = plan.loadTest(timetable);
        return inDirectory(
                TimetableText.of(timetable, queue),
                false,
                directory -> dispatch(directory, table, timetable, loadTest));
    }

    /** What is done in the folder of a run. */
    private interface Run {
        int in(RunDirectory directory) throws InputException, IOException, RmException, InterruptedException;
    }

    /**
     * Opens the run's folder for it, unless the run is finished or nothing is to be done.
     *
     * @param again whether a finished run goes on of which something failed
     */
    private int inDirectory(List<String> lines, boolean again, Run run)
            throws InputException, IOException, RmException, InterruptedException {
        if (dryRun) {
            lines.forEach(spec.commandLine().getOut()::println);
            return OK;
        }
        Path path = runDirectory.orElseGet(Dispatch::newRun);
        try (RunDirectory directory = RunDirectory.open(path.toAbsolutePath().normalize())) {
            directory.keep(lines);
            Optional<Integer> finished = directory.result().isPresent()
                    ? Result.statusOf(directory.result().get())
                    : Optional.empty();
            if (finished.isPresent() && !(again && finished.get() != OK)) {
                spec.commandLine()
                        .getOut()
                        .printf(
                                "Run %s is finished: %s%n",
                                directory.id(), directory.path().resolve("result.json"));
                return finished.get();
            }
            return run.in(directory);
        }
    }

    private int kill() throws InputException, IOException, RmException {
        Path path = runDirectory.orElseThrow(() -> new InputException("--kill wants the --run-dir of a run"));
        if (!RunDirectory.hasRun(path)) {
            throw new InputException("--run-dir is %s, which is no folder of a run".formatted(path));
        }
        String run = path.toAbsolutePath().normalize().getFileName().toString();
        List<String> killed = Killer.kill(yarn(), run, new YarnConfiguration());
        spec.commandLine()
                .getOut()
                .println(
                        killed.isEmpty()
                                ? "Run %s has nothing that runs".formatted(run)
                                : "Killed %s".formatted(String.join(", ", killed)));
        return OK;
    }

    private void checkOptions() throws InputException {
        if (lookEvery.isZero()) {
            throw new InputException("--look-every must be more than 0");
        }
        Tags.checked(tags);
    }

    private static Path newRun() {
        return Path.of(
                "runs",
                LocalDateTime.now(ZoneId.systemDefault())
                        .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)));
    }

    private int dispatch(RunDirectory directory, WorkflowCommand workflow)
            throws InputException, IOException, RmException, InterruptedException {
        Yarn yarn = yarn();
        yarn.capacity();
        CountDownLatch written = new CountDownLatch(1);
        try (Screen screen = screen(workflow.rules())) {
            screen.say("Run %s: %d rules, %s".formatted(directory.id(), workflow.rules(), directory.path()));
            WorkflowResult result = workflow.run(
                    directory,
                    new YarnConfiguration(),
                    yarn,
                    plan.workflowFiles(),
                    queue,
                    tags,
                    screen,
                    stop -> Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stop, written))));
            directory.writeResult(result.json(), result.tsv());
            screen.say((result.isComplete() ? "" : "Stopped; the same --run-dir goes on: ") + result.summary());
            return result.isSuccess() ? OK : FAILED;
        } finally {
            written.countDown();
        }
    }

    private HiBenchClient hibench(Path home, Configuration conf, RunDirectory directory)
            throws InputException, IOException {
        HiBench hibench = new HiBench(home.toAbsolutePath(), directory.path().resolve("hibench"), plan.scale());
        return new HiBenchClient(hibench, new PreparedInputs(conf, hibench.data(), plan.scale()), directory.id());
    }

    private int dispatch(
            RunDirectory directory, WorkloadTable table, List<Submission> timetable, Optional<LoadTest> loadTest)
            throws InputException, IOException, RmException, InterruptedException {
        Configuration conf = new YarnConfiguration();
        Places places = new Places(Data.qualified(conf, work), directory.id(), plan.scale());
        Map<Framework, Client> clients = clients(conf);
        Optional<HiBenchClient> hibench = plan.hibench().isPresent()
                ? Optional.of(hibench(plan.hibench().get(), conf, directory))
                : Optional.empty();
        hibench.ifPresent(client -> clients.put(Framework.HIBENCH, client));
        Yarn yarn = yarn();
        // Says so if there is none, before anything is begun.
        yarn.capacity();
        ExecutorService threads = Executors.newCachedThreadPool(Dispatch::daemon);
        List<Entry> before = RunJournal.read(directory.journal());
        if (before.isEmpty()) {
            Dispatcher.requireOwnName(yarn, directory.id());
        }
        try (Screen screen = screen(timetable.size());
                RunJournal journal = RunJournal.open(directory.journal())) {
            // Hadoop's examples talk to the screen, which is not theirs.
            PrintStream examples = new PrintStream(directory.log("clients").toFile(), StandardCharsets.UTF_8);
            System.setOut(examples);
            System.setErr(examples);
            new Data(conf, table, clients, screen).prepare(timetable, places, queue, directory);
            if (hibench.isPresent()) {
                hibench.get().prepare(timetable, queue, tags, directory, screen);
            }
            screen.say("Run %s: %d jobs, %s".formatted(directory.id(), timetable.size(), directory.path()));
            Dispatcher dispatcher = new Dispatcher(
                    new Dispatcher.Settings(
                            directory.id(),
                            queue,
                            tags,
                            places,
                            lookEvery,
                            loadTest.map(
                                    test -> new Dispatcher.Guard(test, () -> Killer.kill(yarn, directory.id(), conf)))),
                    directory,
                    journal,
                    timetable,
                    clients,
                    threads,
                    yarn,
                    new WallClock(),
                    screen);
            dispatcher.resume(before);
            CountDownLatch written = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(dispatcher::stop, written)));
            try {
                Result result = dispatcher.run();
                directory.writeResult(result.json(), result.tsv());
                screen.say((result.interrupted() ? "Stopped; the same --run-dir goes on: " : "") + result.summary());
                return result.isSuccess() ? OK : FAILED;
            } finally {
                written.countDown();
            }
        }
    }

    /** Ctrl-C: the process ends when the result is written, or after a while. */
    private void stop(Runnable stop, CountDownLatch written) {
        stop.run();
        try {
            boolean inTime = written.await(LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
            if (!inTime) {
                spec.commandLine()
                        .getErr()
                        .println("The result could not be written in time; the journal has all there is");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Yarn yarn() throws RmException {
        String user = Optional.ofNullable(System.getenv("HADOOP_USER_NAME")).orElse(System.getProperty("user.name"));
        return new YarnRest(RmClient.of(rms, user, TIMEOUT, System::getenv, answered -> {}));
    }

    private Map<Framework, Client> clients(Configuration conf) {
        Map<Framework, Client> clients = new EnumMap<>(Framework.class);
        clients.put(Framework.MAPREDUCE, new MapReduceClient(conf));
        clients.put(Framework.COMMAND, new CommandClient());
        Optional<Path> hadoopConf =
                Optional.ofNullable(System.getenv("HADOOP_CONF_DIR")).map(Path::of);
        SparkHome home = SparkHome.find(
                sparkHome.or(
                        () -> Optional.ofNullable(System.getenv("SPARK_HOME")).map(Path::of)),
                Path.of(System.getProperty(SPARK_JOBS, "spark-jobs")),
                sparkSettings);
        clients.put(Framework.SPARK, new SparkClient(home, hadoopConf));
        return clients;
    }

    private Screen screen(int jobs) {
        PrintWriter out = spec.commandLine().getOut();
        return Boolean.getBoolean(TERMINAL) ? new BarScreen(out, jobs) : new PlainScreen(out);
    }

    private static Thread daemon(Runnable client) {
        Thread thread = new Thread(client, "client");
        thread.setDaemon(true);
        return thread;
    }
}
