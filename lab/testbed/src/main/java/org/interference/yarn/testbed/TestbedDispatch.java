package org.interference.yarn.testbed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.demo.MapReduceMix;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.dispatch.HiBenchJobs;

/** Submits jobs at their times, without waiting for one another, and follows them to their end. */
final class TestbedDispatch {
    private static final int PI_MAPS = 2;
    private static final int PI_POINTS = 500_000;

    private final Configuration conf;
    private final YarnClient client;
    private final FixedWorkMaster master;
    private final Path home;
    private final Optional<HiBenchJobs> hibench;
    private final Progress progress;
    private final Duration limit;

    /**
     * Dispatches nothing yet.
     *
     * @param home where MapReduce jobs read and write
     * @param hibench an installation whose inputs are made; empty if there is none
     * @param limit after which what still runs is killed
     */
    TestbedDispatch(
            Configuration conf,
            YarnClient client,
            FixedWorkMaster master,
            Path home,
            Optional<HiBenchJobs> hibench,
            Progress progress,
            Duration limit) {
        this.conf = conf;
        this.client = client;
        this.master = master;
        this.home = home;
        this.hibench = hibench;
        this.progress = progress;
        this.limit = limit;
    }

    /** Runs {@code jobs}, which are in the order of their submission. What fails is YARN's to tell. */
    void run(List<MixJob> jobs) throws IOException, YarnException, InterruptedException {
        if (jobs.stream().anyMatch(job -> job.kind().program() == Kind.Program.EXAMPLE)) {
            new MapReduceMix(conf, home).writeInput();
        }
        ExecutorService masters = Executors.newCachedThreadPool(TestbedDispatch::daemon);
        List<Future<?>> running = new ArrayList<>();
        Duration start = progress.elapsed();
        for (MixJob job : jobs) {
            awaitMoment(start.plus(job.submitted()));
            running.add(masters.submit(() -> follow(job)));
        }
        for (Future<?> job : running) {
            await(job, start.plus(limit));
        }
        masters.shutdownNow();
        killWhatRuns();
    }

    /** Runs {@code jobs} one after the other. */
    void runAlone(List<MixJob> jobs) throws IOException, YarnException, InterruptedException {
        for (MixJob job : jobs) {
            run(List.of(job));
        }
    }

    private void follow(MixJob job) {
        progress.event("%-22s submitted (%s)".formatted(name(job), job.tag()));
        try {
            switch (job.kind().program()) {
                case FIXED_WORK -> master.run(job);
                case EXAMPLE -> mapReduce(job);
                case HIBENCH -> hibench(job);
            }
            progress.event("%-22s ended (%s)".formatted(name(job), job.tag()));
        } catch (Exception | LinkageError e) {
            // Whatever a client throws is the end of its job, not of the run.
            progress.event("%-22s FAILED (%s): %s".formatted(name(job), job.tag(), e));
        }
    }

    private void mapReduce(MixJob job) throws Exception {
        Configuration own = new Configuration(conf);
        own.set("mapreduce.job.tags", job.tag());
        own.set("mapreduce.job.queuename", job.queue());
        MapReduceMix mapReduce = new MapReduceMix(own, home);
        switch (job.kind().name()) {
            case "pi" -> mapReduce.pi(PI_MAPS, PI_POINTS);
            case "wordcount" -> mapReduce.wordCount(new Path(home, job.tag()));
            default -> throw new IllegalArgumentException("no MapReduce application is called " + job.kind());
        }
    }

    private void hibench(MixJob job) throws IOException, InterruptedException {
        String kind = job.kind().name();
        hibench.orElseThrow(() -> new IOException("it is not said where HiBench is (--hibench)"))
                .run(kind, job.kind().work().get(0), job.number(), job.queue(), List.of("ifc:" + kind, job.tag()));
    }

    private static String name(MixJob job) {
        return job.kind().name() + (job.containers() > 1 ? " x " + job.containers() : "");
    }

    private void awaitMoment(Duration moment) {
        while (progress.elapsed().compareTo(moment) < 0) {
            LockSupport.parkNanos(moment.minus(progress.elapsed()).toNanos());
        }
    }

    private void await(Future<?> job, Duration deadline) throws InterruptedException {
        try {
            job.get(Math.max(1, deadline.minus(progress.elapsed()).toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            job.cancel(true);
            progress.event("a job has not ended within %d s and is killed".formatted(limit.toSeconds()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("a job failed outside its application", e.getCause());
        }
    }

    private void killWhatRuns() throws IOException, YarnException {
        for (ApplicationReport application : client.getApplications()) {
            YarnApplicationState state = application.getYarnApplicationState();
            if (state != YarnApplicationState.FINISHED
                    && state != YarnApplicationState.FAILED
                    && state != YarnApplicationState.KILLED) {
                client.killApplication(application.getApplicationId());
            }
        }
    }

    private static Thread daemon(Runnable master) {
        Thread thread = new Thread(master, "master");
        thread.setDaemon(true);
        return thread;
    }
}
