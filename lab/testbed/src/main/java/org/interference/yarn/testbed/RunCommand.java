package org.interference.yarn.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.dispatch.HiBenchJobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One run on the bed that is up. */
@Command(
        name = "run",
        description = "Dispatches one run to the hosts that are up, and adds what it took to the results.")
final class RunCommand implements Callable<Integer> {
    private static final double MILLIS = 1000;

    @Option(names = "--bed", required = true)
    private Path bed;

    @Option(names = "--program", required = true)
    private Path program;

    @Option(names = "--results", required = true)
    private Path results;

    @Option(names = "--mix", required = true)
    private String mix;

    @Option(names = "--policy", required = true)
    private String policy;

    @Option(names = "--repetition", required = true)
    private int repetition;

    @Option(names = "--seed", required = true, description = "The seed of this run's jobs.")
    private long seed;

    @Option(names = "--hosts", required = true)
    private int hosts;

    @Option(names = "--slot-mb", required = true)
    private int slotMegabytes;

    @Option(names = "--cpus", required = true, description = "That a host may use.")
    private double cpus;

    @Option(
            names = "--groups",
            required = true,
            description = "The hosts' groups that count CPU time, host1 and so on.")
    private Path groups;

    @Option(names = "--limit", required = true, description = "Seconds after which what still runs is killed.")
    private int limit;

    @Option(names = "--master", required = true, description = "The ResourceManager's process.")
    private long master;

    @Option(
            names = "--hibench",
            description = "Where HiBench is, configured for these hosts; for a mix that has jobs of it.")
    private Optional<Path> hibench = Optional.empty();

    @Option(names = "--waited-before", required = true)
    private double waitedBefore;

    @Option(names = "--stolen-before", required = true)
    private double stolenBefore;

    private final Progress progress;

    RunCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws Exception {
        RunKey key = new RunKey(Mix.named(mix), policy, repetition);
        boolean alone = policy.equals(RunKey.ALONE);
        List<String> names =
                IntStream.rangeClosed(1, hosts).mapToObj(i -> "host" + i).toList();
        List<MixJob> jobs = alone ? key.mix().alone(names) : key.mix().jobs(seed);
        Configuration conf = resolved(new JobConf(new YarnConfiguration()));
        String address = conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS);
        Path times = Files.createTempDirectory(bed.resolve("tmp"), "times");
        ClusterRest rest = new ClusterRest(address);
        List<Path> counters = names.stream()
                .map(name -> groups.resolve(name).resolve("cpuacct.usage"))
                .toList();
        List<ClusterUsage> usage;
        // Before any node grows.
        int megabytes = rest.megabytes();
        CpuTime before = CpuTime.now(master);
        try (YarnClient client = YarnClient.createYarnClient();
                UsageSampler sampler = new UsageSampler(rest, megabytes, counters, cpus, progress);
                Receiver receiver = Receiver.on(InetAddress.getByName(conf.get(YarnConfiguration.RM_HOSTNAME)))) {
            client.init(conf);
            client.start();
            FixedWorkMaster fixedWork =
                    new FixedWorkMaster(conf, client, new Setting(program, times, receiver.address(), slotMegabytes));
            org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path(
                    Files.createTempDirectory(bed.resolve("tmp"), "mapreduce").toUri());
            TestbedDispatch dispatch = new TestbedDispatch(
                    conf, client, fixedWork, home, hibenchJobs(), progress, Duration.ofSeconds(limit));
            if (alone) {
                dispatch.runAlone(jobs);
            } else {
                dispatch.run(jobs);
            }
            usage = sampler.samples();
        }
        CpuTime spent = CpuTime.now(master).since(before);
        RunResult result = result(
                key,
                new RunConditions(waitedBefore, stolenBefore, spent.stolenPercent(), spent.processSeconds()),
                jobs,
                rest.applications(),
                new Hosts(bed, times),
                megabytes / slotMegabytes,
                usage);
        new ResultFiles(results).append(String.valueOf(System.currentTimeMillis()), result);
        long failed = result.jobs().stream().filter(job -> !job.succeeded()).count();
        progress.event("%s: %d jobs, %d failed, makespan %.1f s"
                .formatted(
                        key.line().replace('\t', ' '),
                        jobs.size(),
                        failed,
                        RunFigures.of(result, Map.of()).makespan()));
        return 0;
    }

    private Optional<HiBenchJobs> hibenchJobs() throws IOException {
        if (hibench.isEmpty()) {
            return Optional.empty();
        }
        Path folder = Files.createTempDirectory(bed.resolve("tmp"), "hibench");
        return Optional.of(new HiBenchJobs(hibench.get(), folder));
    }

    private RunResult result(
            RunKey key,
            RunConditions conditions,
            List<MixJob> jobs,
            Map<String, JsonNode> applications,
            Hosts left,
            int slots,
            List<ClusterUsage> usage)
            throws IOException {
        Map<String, String> kinds = new LinkedHashMap<>();
        for (MixJob job : jobs) {
            if (applications.containsKey(job.tag())) {
                kinds.put(
                        applications.get(job.tag()).path("id").asText(),
                        job.kind().name());
            }
        }
        List<ContainerResult> containers = left.results(kinds);
        Map<String, Map<String, Integer>> byHost = left.containers();
        List<JobResult> done = new ArrayList<>();
        for (MixJob job : jobs) {
            JsonNode application = applications.get(job.tag());
            done.add(
                    application == null
                            ? never(job)
                            : job(
                                    job,
                                    application,
                                    byHost.getOrDefault(application.path("id").asText(), Map.of()),
                                    containers));
        }
        return new RunResult(key, conditions, slots, done, containers, usage);
    }

    private JobResult job(
            MixJob job, JsonNode application, Map<String, Integer> byHost, List<ContainerResult> containers) {
        String id = application.path("id").asText();
        OptionalDouble first = containers.stream()
                .filter(container -> container.application().equals(id))
                .mapToDouble(ContainerResult::began)
                .min();
        return new JobResult(
                job.number(),
                job.kind().name(),
                id,
                job.queue(),
                application.path("startedTime").asDouble() / MILLIS,
                first.isPresent() ? first : moment(application, "launchTime"),
                moment(application, "finishedTime"),
                application.path("finalStatus").asText(),
                byHost.values().stream().mapToInt(Integer::intValue).sum(),
                List.copyOf(byHost.keySet()),
                application.path("memorySeconds").asDouble() / slotMegabytes);
    }

    private static OptionalDouble moment(JsonNode application, String name) {
        double millis = application.path(name).asDouble();
        return millis > 0 ? OptionalDouble.of(millis / MILLIS) : OptionalDouble.empty();
    }

    private static JobResult never(MixJob job) {
        return new JobResult(
                job.number(),
                job.kind().name(),
                "",
                job.queue(),
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "NEVER_SUBMITTED",
                0,
                List.of(),
                0);
    }

    /** A MapReduce job takes its settings along to processes that have not our system properties. */
    private static Configuration resolved(Configuration conf) {
        Configuration resolved = new Configuration(false);
        conf.forEach(property -> resolved.set(property.getKey(), conf.get(property.getKey())));
        return resolved;
    }
}
