package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.demo.Progress;

/** Looks every two seconds at what is in use, until it is closed. What cannot be read is left out. Thread-safe. */
final class UsageSampler implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final ClusterRest rest;
    private final List<Path> counters;
    private final double cpusPerHost;
    private final Progress progress;
    private final Duration begun;
    private final List<ClusterUsage> samples = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "usage");
        daemon.setDaemon(true);
        return daemon;
    });

    private final int megabytes;
    private final Future<?> looking;
    private Duration lastMoment;
    private long lastNanos;

    /**
     * Begins to look.
     *
     * @param megabytes that are configured, of all hosts
     * @param counters one for each host: nanoseconds of CPU time of its containers
     * @param cpusPerHost that a host may use
     */
    UsageSampler(ClusterRest rest, int megabytes, List<Path> counters, double cpusPerHost, Progress progress) {
        this.rest = rest;
        this.megabytes = megabytes;
        this.counters = List.copyOf(counters);
        this.cpusPerHost = cpusPerHost;
        this.progress = progress;
        this.begun = progress.elapsed();
        this.looking = thread.scheduleAtFixedRate(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            double slots = rest.allocatedMegabytes() / (double) megabytes;
            Duration now = progress.elapsed();
            long nanos = nanos();
            if (lastMoment != null) {
                double possible =
                        cpusPerHost * counters.size() * now.minus(lastMoment).toNanos();
                add(new ClusterUsage(seconds(now.minus(begun)), slots, (nanos - lastNanos) / possible));
            }
            lastMoment = now;
            lastNanos = nanos;
        } catch (IOException | RuntimeException e) {
            // The series has a gap; the run goes on.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void add(ClusterUsage sample) {
        samples.add(sample);
    }

    private long nanos() throws IOException {
        long sum = 0;
        for (Path counter : counters) {
            sum += Long.parseLong(Files.readString(counter).strip());
        }
        return sum;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /** Returns what was seen so far. */
    synchronized List<ClusterUsage> samples() {
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        looking.cancel(true);
        thread.shutdownNow();
    }
}
