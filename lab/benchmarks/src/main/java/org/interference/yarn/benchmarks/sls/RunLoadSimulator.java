package org.interference.yarn.benchmarks.sls;

import com.codahale.metrics.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.appmaster.MRAMSimulator;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the Scheduler Load Simulator, with the plugin in one mode; bin/lab load-simulator gives each a JVM. */
public final class RunLoadSimulator {
    private static final Logger LOG = LoggerFactory.getLogger(RunLoadSimulator.class);
    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final long POLL_NANOS = 50_000_000;
    private static final double NANOS_PER_MICRO = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    private RunLoadSimulator() {}

    /** Usage: {@code RunLoadSimulator MODE TRACE DIRECTORY FILE}. */
    public static void main(String[] args) {
        int status = 1;
        try {
            run(args[0], Path.of(args[1]), Path.of(args[2]), Path.of(args[3]));
            status = 0;
        } catch (Throwable e) {
            LOG.error("the simulation failed", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    private static void run(String mode, Path trace, Path directory, Path file) throws Exception {
        Configuration conf = configuration(mode, Files.createDirectories(directory));
        // The simulator's nodes have names that nobody resolves.
        SecurityUtil.setConfiguration(conf);
        SLSRunner runner = new SLSRunner(conf);
        long start = System.nanoTime();
        runner.run(new String[] {
            "-tracetype",
            "SYNTH",
            "-tracelocation",
            trace.toString(),
            "-output",
            Files.createDirectories(directory.resolve("output")).toString()
        });
        while (runner.getRemainingApps() > 0) {
            if (System.nanoTime() - start > LONGEST_NANOS) {
                throw new IllegalStateException(
                        "%d applications have not finished".formatted(runner.getRemainingApps()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        publish(mode, seconds, file);
    }

    private static Configuration configuration(String mode, Path directory) {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, SimulatedLoadScheduler.class.getName());
        conf.set("yarn.interference.place.mode", mode);
        conf.set(
                "yarn.interference.profile.store-dir",
                directory.resolve("profiles").toUri().toString());
        conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("attributes").toUri().toString());
        conf.setBoolean("hadoop.security.token.service.use_ip", false);
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:0");
        }
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.scheduler.capacity.root.default.user-limit-factor", "10");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        conf.set("yarn.sls.am.type.mapreduce", MRAMSimulator.class.getName());
        conf.setInt("yarn.sls.runner.pool.size", 20);
        conf.setInt("yarn.sls.nm.memory.mb", 16 * 1024);
        conf.setInt("yarn.sls.nm.vcores", 16);
        conf.setInt("yarn.sls.nm.heartbeat.interval.ms", 1000);
        conf.setInt("yarn.sls.am.heartbeat.interval.ms", 1000);
        return conf;
    }

    private static void publish(String mode, double seconds, Path file) throws IOException {
        SimulatedLoadScheduler scheduler = SimulatedLoadScheduler.newest();
        ResultFile published = ResultFile.open(file, "sls", "bin/lab load-simulator");
        Results results = published.results().under(mode);
        long submitted = 0;
        long succeeded = 0;
        for (RMApp app : scheduler.context().getRMApps().values()) {
            submitted++;
            succeeded += app.getFinalApplicationStatus() == FinalApplicationStatus.SUCCEEDED ? 1 : 0;
        }
        results.put("applications", submitted);
        results.put("applications_succeeded", succeeded);
        results.put("containers", scheduler.getRootQueueMetrics().getAggregateAllocatedContainers());
        results.put("seconds", seconds);
        putTimes(scheduler, "allocate", results);
        putTimes(scheduler, "handle", results);
        Results decisions = results.under("decisions");
        scheduler.restSources().orElseThrow().placement().decisions().counts().forEach((reason, count) -> {
            if (count > 0) {
                decisions.put(reason.name(), count);
            }
        });
        published.write();
        if (succeeded != submitted || submitted == 0) {
            throw new IllegalStateException("%d of %d applications succeeded".formatted(succeeded, submitted));
        }
    }

    private static void putTimes(SimulatedLoadScheduler scheduler, String operation, Results results) {
        scheduler.getSchedulerMetrics().getMetrics().getHistograms().forEach((name, histogram) -> {
            if (name.equals("sampler.scheduler.operation." + operation + ".timecost")) {
                Snapshot snapshot = histogram.getSnapshot();
                results.put(operation + "_us_mean", snapshot.getMean() / NANOS_PER_MICRO);
                results.put(operation + "_us_p99", snapshot.get99thPercentile() / NANOS_PER_MICRO);
            }
        });
    }
}
