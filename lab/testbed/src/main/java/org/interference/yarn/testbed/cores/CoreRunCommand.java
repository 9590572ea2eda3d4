package org.interference.yarn.testbed.cores;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.awaitility.Awaitility;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.testbed.CpuTime;
import org.interference.yarn.testbed.FixedWorkMaster;
import org.interference.yarn.testbed.Kind;
import org.interference.yarn.testbed.MixJob;
import org.interference.yarn.testbed.Setting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One mix on the bed that is up: its containers are started, and their work is counted for a while. They work on when this has ended. */
@Command(name = "core-run", description = "Lets the containers of a mix work, and adds what they did to the results.")
public final class CoreRunCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final String QUEUE = "default";
    private static final double NANOS = 1e9;

    @Option(names = "--bed", required = true)
    private Path bed;

    @Option(names = "--program", required = true, description = "What a container starts.")
    private Path program;

    @Option(names = "--contender", required = true, description = "What that becomes.")
    private Path contender;

    @Option(names = "--results", required = true, description = "The file that a line is added to.")
    private Path results;

    @Option(names = "--mix", required = true)
    private String mixName;

    @Option(names = "--rule", required = true, description = "What the NodeManager was started with.")
    private String rule;

    @Option(names = "--repetition", required = true)
    private int repetition;

    @Option(names = "--seconds", required = true, description = "For which work is counted.")
    private int seconds;

    @Option(names = "--slot-mb", required = true)
    private int slotMegabytes;

    @Option(names = "--waited", required = true)
    private double waited;

    private final Progress progress;

    public CoreRunCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws Exception {
        CoreMix mix = CoreMix.named(mixName);
        Path counters = Files.createTempDirectory(bed.resolve("tmp"), "counters");
        Configuration conf = new YarnConfiguration();
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(conf);
            client.start();
            FixedWorkMaster master =
                    new FixedWorkMaster(conf, client, new Setting(program, counters, "", slotMegabytes));
            ExecutorService masters = Executors.newCachedThreadPool();
            ExecutorCompletionService<Void> jobs = new ExecutorCompletionService<>(masters);
            for (MixJob job : jobs(mix)) {
                jobs.submit(() -> {
                    master.run(job);
                    return null;
                });
            }
            Awaitility.await("all containers work")
                    .atMost(PATIENCE)
                    .pollInterval(POLL)
                    .until(() ->
                            counts(counters).stream().filter(count -> count > 0).count() == mix.size());
            LockSupport.parkNanos(WARM_UP.toNanos());
            CoreRun run = measured(counters, mix);
            Future<Void> ended = jobs.poll();
            if (ended != null) {
                ended.get();
                throw new IOException("a container ended while its work was counted");
            }
            run.append(results);
            progress.event("%s under %s, repetition %d: %.3f units of work a second (geometric mean), %.2f %% stolen"
                    .formatted(mixName, rule, repetition, Math.exp(run.logOfRate()), run.stolen()));
        }
        return 0;
    }

    /** A kind of work is an application. */
    private List<MixJob> jobs(CoreMix mix) {
        List<MixJob> jobs = new ArrayList<>();
        mix.containers()
                .forEach((kind, count) -> jobs.add(new MixJob(
                        jobs.size() + 1,
                        Kind.of(kind, contender.toString(), kind),
                        QUEUE,
                        count,
                        List.of(),
                        Duration.ZERO)));
        return jobs;
    }

    private CoreRun measured(Path counters, CoreMix mix) throws IOException {
        CpuTime before = CpuTime.now(ProcessHandle.current().pid());
        long start = System.nanoTime();
        List<Long> first = counts(counters);
        LockSupport.parkNanos((long) (seconds * NANOS));
        List<Long> last = counts(counters);
        double took = (System.nanoTime() - start) / NANOS;
        CpuTime spent = CpuTime.now(ProcessHandle.current().pid()).since(before);
        List<Double> rates = IntStream.range(0, mix.size())
                .mapToObj(i -> (last.get(i) - first.get(i)) / took)
                .toList();
        if (rates.stream().anyMatch(rate -> !(rate > 0))) {
            throw new IOException("a container did no work: " + rates);
        }
        return new CoreRun(mixName, rule, repetition, waited, spent.stolenPercent(), rates);
    }

    /** What each container that has begun has done, by its name. */
    private static List<Long> counts(Path counters) throws IOException {
        try (Stream<Path> files = Files.list(counters)) {
            List<Long> counts = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                counts.add(
                        bytes.length < Long.BYTES
                                ? 0
                                : ByteBuffer.wrap(bytes)
                                        .order(ByteOrder.nativeOrder())
                                        .getLong());
            }
            return counts;
        }
    }
}
