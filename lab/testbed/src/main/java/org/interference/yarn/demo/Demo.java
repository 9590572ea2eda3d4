package org.interference.yarn.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a mix of real applications twice on an embedded cluster and shows what the plugin measured and decided. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Runs a mix of real applications twice on an embedded cluster with the interference-aware scheduler,"
                        + " and shows what it measured, learned and decided.")
public final class Demo implements Callable<Integer> {
    private static final Duration ROUND_LIMIT = Duration.ofMinutes(6);
    /** 128 + SIGINT, as a shell has it. */
    private static final int INTERRUPTED = 130;

    @Option(names = "--keep", description = "Leave the cluster up until Ctrl-C.")
    private boolean keep;

    @Option(names = "--reuse", description = "Start with the profiles of an earlier demo instead of none.")
    private boolean reuse;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "How often the mix is run (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "15",
            description = "How long each stressor runs (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--home",
            paramLabel = "DIR",
            defaultValue = "${sys:demo.home:-target/demo}",
            description = "The one directory the demo writes to (default: ${DEFAULT-VALUE}).")
    private Path directory;

    private final Progress progress;
    private volatile int statusOnSignal = INTERRUPTED;

    private Demo(Progress progress) {
        this.progress = progress;
    }

    /** Ends the process at once when done: Hadoop's servers leave non-daemon threads behind. */
    public static void main(String[] arguments) {
        PrintStream screen = System.out;
        Progress progress = new Progress(screen, InstantSource.system());
        int status = new CommandLine(new Demo(progress)).execute(arguments);
        screen.flush();
        Runtime.getRuntime().halt(status);
    }

    @Override
    public Integer call() {
        if (rounds < 1 || seconds < 1) {
            progress.plain(
                    "--rounds is %d and --seconds is %d, but both must be at least 1".formatted(rounds, seconds));
            return CommandLine.ExitCode.USAGE;
        }
        try {
            DemoHome home = DemoHome.open(directory, reuse);
            redirectLogs(home);
            return run(home);
        } catch (IOException | UncheckedIOException e) {
            progress.event("FAILED: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private int run(DemoHome home) {
        progress.event("demo home %s, Hadoop's log %s".formatted(home.root(), home.daemonLog()));
        try (DemoCluster cluster = DemoCluster.start(home, progress)) {
            Thread onSignal = new Thread(() -> interrupted(cluster), "demo interrupted");
            Runtime.getRuntime().addShutdownHook(onSignal);
            int status = rounds(home, cluster);
            if (keep) {
                statusOnSignal = status;
                progress.plain(
                        "%nThe cluster stays up until Ctrl-C: http://%s/cluster".formatted(cluster.webAddress()));
                progress.plain("Clients find it with HADOOP_CONF_DIR=%s".formatted(home.clientConf()));
                new CountDownLatch(1).await();
            }
            progress.event("stopping the cluster");
            return status;
        } catch (IOException | YarnException | RuntimeException | LinkageError e) {
            LoggerFactory.getLogger(Demo.class).error("The demo failed", e);
            progress.event("FAILED: %s (log: %s)".formatted(e, home.daemonLog()));
            return CommandLine.ExitCode.SOFTWARE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private int rounds(DemoHome home, DemoCluster cluster) throws IOException, YarnException, InterruptedException {
        DemoReport report = new DemoReport(new PluginRest(cluster.webAddress()), progress);
        List<DemoDispatcher.Round> done = new ArrayList<>();
        MapReduceMix mapReduce = new MapReduceMix(cluster.clientConf(), new org.apache.hadoop.fs.Path("/demo"));
        mapReduce.writeInput();
        Path script = unpackStressor(home);
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(cluster.clientConf());
            client.start();
            DemoDispatcher dispatcher =
                    new DemoDispatcher(new ApplicationWatch(client, home, progress), progress, ROUND_LIMIT);
            for (int number = 1; number <= rounds; number++) {
                List<DemoWorkload> mix = mix(cluster.clientConf(), mapReduce, script, number);
                progress.event("round %d: dispatching %d workloads at once".formatted(number, mix.size()));
                DemoDispatcher.Round round = dispatcher.run(number, mix);
                done.add(round);
                progress.event("round %d: %d applications in %d s, %d failed"
                        .formatted(
                                number,
                                round.applications().size(),
                                round.length().toSeconds(),
                                round.failures().size()));
                round.failures().forEach(failure -> progress.plain("           FAILED " + failure));
                if (!round.failures().isEmpty()) {
                    progress.plain("           Hadoop's log: " + home.daemonLog());
                    break;
                }
            }
        }
        boolean told = tell(report, done);
        boolean failed = done.stream().anyMatch(round -> !round.failures().isEmpty());
        return told && !failed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<DemoWorkload> mix(Configuration conf, MapReduceMix mapReduce, Path script, int round) {
        List<DemoWorkload> mix = new ArrayList<>();
        for (Stressor stressor : Stressor.values()) {
            mix.add(stressor.workload(conf, script, Duration.ofSeconds(seconds)));
        }
        mix.addAll(mapReduce.workloads(new org.apache.hadoop.fs.Path("/demo/round-" + round)));
        return mix;
    }

    /** Prints the report; an API that does not answer is said, and fails the demo. */
    private boolean tell(DemoReport report, List<DemoDispatcher.Round> done) throws InterruptedException {
        boolean told = true;
        try {
            report.tables(done.get(done.size() - 1));
            progress.plain("");
            for (DemoDispatcher.Round round : done) {
                report.summary(round);
            }
            report.addresses(keep);
        } catch (IOException e) {
            told = false;
            progress.plain("%nThe plugin's REST API is not there: %s".formatted(e.getMessage()));
        }
        report.caveat();
        return told;
    }

    private void interrupted(DemoCluster cluster) {
        progress.event("interrupted: stopping the cluster and its containers");
        progress.mute();
        cluster.close();
        Runtime.getRuntime().halt(statusOnSignal);
    }

    /** Must come before the first Hadoop class is loaded: its logging is set up once. */
    private static void redirectLogs(DemoHome home) throws IOException {
        System.setProperty("demo.log", home.daemonLog().toString());
        System.setProperty("log4j.configuration", "org/interference/yarn/demo/log4j.properties");
        PrintStream stray = new PrintStream(home.logs().resolve("stdout.log").toFile(), StandardCharsets.UTF_8);
        System.setOut(stray);
        System.setErr(stray);
    }

    private static Path unpackStressor(DemoHome home) throws IOException {
        Path script = home.temporary().resolve("stressor.sh");
        try (InputStream in = Demo.class.getResourceAsStream("stressor.sh")) {
            if (in == null) {
                throw new IOException("stressor.sh is missing beside " + Demo.class.getName());
            }
            Files.copy(in, script);
        }
        return script;
    }
}
