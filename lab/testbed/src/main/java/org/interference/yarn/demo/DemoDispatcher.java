package org.interference.yarn.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.LoggerFactory;

/** Runs the workloads of a round side by side and follows them to their end. */
final class DemoDispatcher {
    private static final long LOOK_EVERY_MILLIS = 500;

    private final ApplicationWatch watch;
    private final Progress progress;
    private final Duration roundLimit;

    DemoDispatcher(ApplicationWatch watch, Progress progress, Duration roundLimit) {
        this.watch = watch;
        this.progress = progress;
        this.roundLimit = roundLimit;
    }

    /** What a round did: its applications, and why it failed, if it did. */
    record Round(int number, Set<String> applications, List<String> failures, Duration length) {}

    Round run(int number, List<DemoWorkload> workloads) throws IOException, YarnException, InterruptedException {
        Duration start = progress.elapsed();
        Set<String> before = watch.applications();
        Set<String> failedBefore = watch.failed();
        List<String> failures = new ArrayList<>(follow(workloads));
        watch.look();
        Set<String> applications = new TreeSet<>(watch.applications());
        applications.removeAll(before);
        Set<String> failed = new TreeSet<>(watch.failed());
        failed.removeAll(failedBefore);
        if (failures.isEmpty()) {
            failed.forEach(id -> failures.add(id + " did not succeed"));
        }
        return new Round(number, applications, failures, progress.elapsed().minus(start));
    }

    private List<String> follow(List<DemoWorkload> workloads) throws IOException, YarnException, InterruptedException {
        ExecutorService clients = Executors.newFixedThreadPool(workloads.size(), DemoDispatcher::daemon);
        try {
            CompletionService<End> ends = new ExecutorCompletionService<>(clients);
            workloads.forEach(workload -> ends.submit(() -> end(workload)));
            Set<String> open =
                    workloads.stream().map(DemoWorkload::name).collect(Collectors.toCollection(TreeSet::new));
            List<String> failures = new ArrayList<>();
            long deadline = System.nanoTime() + roundLimit.toNanos();
            while (!open.isEmpty()) {
                if (System.nanoTime() > deadline) {
                    failures.add("not ended within %d s: %s".formatted(roundLimit.toSeconds(), open));
                    return failures;
                }
                Optional<End> end = next(ends);
                watch.look();
                end.ifPresent(ended -> open.remove(ended.workload()));
                end.flatMap(End::failure).ifPresent(failures::add);
            }
            return failures;
        } finally {
            clients.shutdownNow();
        }
    }

    private static Optional<End> next(CompletionService<End> ends) throws InterruptedException {
        Future<End> ended = ends.poll(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        try {
            return ended == null ? Optional.empty() : Optional.of(ended.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client thread failed outside its workload", e.getCause());
        }
    }

    private record End(String workload, Optional<String> failure) {}

    /** Whatever a client throws is the end of its workload, not of the demo. */
    private static End end(DemoWorkload workload) {
        try {
            workload.launch().run();
            return new End(workload.name(), Optional.empty());
        } catch (ApplicationFailedException e) {
            return new End(workload.name(), Optional.of(e.getMessage()));
        } catch (Exception | LinkageError e) {
            LoggerFactory.getLogger(DemoDispatcher.class).error("The client of {} failed", workload.name(), e);
            return new End(workload.name(), Optional.of(workload.name() + ": " + e));
        }
    }

    private static Thread daemon(Runnable client) {
        Thread thread = new Thread(client, "client");
        thread.setDaemon(true);
        return thread;
    }
}
