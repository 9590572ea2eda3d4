package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;

/**
 * Samples one NodeManager's containers on a thread of its own; {@link #newest} and {@link #containersChanged} may be called
 * from any thread and never wait for a sample.
 *
 * <p>Every tick compares what it knows with the NodeManager's whole list, so nothing depends on an event; events only make
 * it look earlier. A look between two ticks takes a snapshot if a container has begun, has ended, or is younger than an
 * interval, and adds it to these alone: the windows of the others stay whole. A container that is no longer listed is
 * sampled a last time, for sources whose counts outlive the process.
 *
 * <p>A tick that fails leaves no report behind: what is not fresh is not sent.
 */
public final class Sampler implements AutoCloseable {
    /** An ended container is reported this often and this long, so that losing a few heartbeats loses nothing. */
    private static final int TICKS_AFTER_THE_END = 10;

    private static final Duration TIME_AFTER_THE_END = Duration.ofSeconds(10);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

    /** The process of a launched container is not known at once. */
    private static final long LAUNCH_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long LAUNCH_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A container younger than an interval is sampled this often in it, as it may end before the next tick. */
    private static final int SAMPLES_OF_THE_YOUNG = 4;

    /** After a snapshot between two ticks the thread rests this many times what one costs. */
    private static final int REST_PER_EXTRA_SNAPSHOT = 10;

    /** Times what a regular tick takes of a CPU: so it takes a twentieth of one, unless {@link #LONGEST_REST} cuts the rest short. */
    private static final long REST_PER_COST = 20;

    /** In intervals. A tick that takes more than a fifth of one takes more than a twentieth of a CPU; that of a whole one takes a fifth. */
    private static final long LONGEST_REST = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    private final CounterSource source;
    private final Listing containers;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Events events;
    private final Supplier<NodeFigures> node;
    private final long incarnation;
    private final AtomicReference<Sampled> newest = new AtomicReference<>();
    private final AtomicBoolean lookRequested = new AtomicBoolean();
    private final ScheduledExecutorService thread;
    private Map<String, ContainerHistory> histories = Map.of();
    private Future<?> nextLook = new FutureTask<>(() -> null);
    private long youngNanos = Long.MAX_VALUE;
    private long lookUntil;
    private long notBefore;
    private long tickCost;
    private long sequence;
    private NodeFigures figures = NodeFigures.EMPTY;

    /** Told on the sampler's thread; must not block. */
    public interface Events {
        /** This is the newest report from now on. */
        void published(NodeReport report);

        /** A sample failed, and no report is left. */
        void failed(Throwable cause);

        /** The newest report is the first that says of a container that it has ended. */
        void ended(Duration sinceItsFirstSample);
    }

    /**
     * @param node asked at every tick what the node says of itself; never throws
     * @param containers asked at every tick for the containers that are not over
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     * @param thread one thread, which the sampler owns from now on
     */
    public Sampler(
            CounterSource source,
            Supplier<NodeFigures> node,
            Listing containers,
            InstantSource clock,
            LongSupplier nanoTime,
            Events events,
            ScheduledExecutorService thread) {
        this.source = source;
        this.node = node;
        this.containers = containers;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.events = events;
        this.thread = thread;
        this.incarnation = clock.millis();
        this.lookUntil = nanoTime.getAsLong();
        this.notBefore = lookUntil;
    }

    /** A sampler that does not look at the node itself. */
    public Sampler(
            CounterSource source,
            Listing containers,
            InstantSource clock,
            LongSupplier nanoTime,
            Events events,
            ScheduledExecutorService thread) {
        this(source, () -> NodeFigures.EMPTY, containers, clock, nanoTime, events, thread);
    }

    /** Makes the one thread of a sampler. */
    public static ScheduledExecutorService newThread() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
            Thread daemon = new Thread(work, "interference-sampler");
            daemon.setDaemon(true);
            return daemon;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** Samples every {@code interval} until {@link #close}, whatever that costs. */
    public void start(Duration interval) {
        start(interval, () -> 0);
    }

    /**
     * Samples every {@code interval} until {@link #close}. A tick that costs much of a CPU is followed by a longer rest, of
     * {@value #REST_PER_COST} times its cost, but of {@value #LONGEST_REST} intervals at most, after which the node would soon be taken for
     * one that is not measured. So a tick of a whole interval takes a fifth of a CPU, and a longer one more.
     *
     * @param cpuNanos what the calling thread has used of a CPU, in ns
     */
    public void start(Duration interval, LongSupplier cpuNanos) {
        youngNanos = interval.toNanos();
        thread.execute(() -> tickAndRest(interval.toNanos(), cpuNanos));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // caught() catches everything, so the future has nothing to tell.
    private void tickAndRest(long interval, LongSupplier cpuNanos) {
        long before = cpuNanos.getAsLong();
        caught(this::tick);
        long cost = Math.max(0, cpuNanos.getAsLong() - before);
        long rest = Math.max(interval, Math.min(REST_PER_COST * cost, LONGEST_REST * interval));
        try {
            thread.schedule(() -> tickAndRest(interval, cpuNanos), rest, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
        }
    }

    /** Makes the sampler look soon: a container has been launched, or has ended. */
    public void containersChanged() {
        if (lookRequested.compareAndSet(false, true)) {
            try {
                thread.execute(() -> caught(this::lookAsRequested));
            } catch (RejectedExecutionException e) {
                // Closed; nobody looks any more.
            }
        }
    }

    /** Returns the newest report; empty before the first tick and after one that failed. */
    public Optional<NodeReport> newest() {
        return newestSampled().map(Sampled::report);
    }

    /** Returns the newest report with what else is known of it; empty when {@link #newest} is. */
    public Optional<Sampled> newestSampled() {
        return Optional.ofNullable(newest.get());
    }

    /** Stops the thread, waiting a bounded time for a tick in progress, and closes the source. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(LONGEST_STOP.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        newest.set(null);
        source.close();
    }

    private interface Work {
        void run() throws IOException;
    }

    private void caught(Work work) {
        try {
            work.run();
        } catch (Throwable e) {
            newest.set(null);
            if (!thread.isShutdown()) {
                events.failed(e);
            }
        }
    }

    /** Takes one sample of all containers and publishes the report. */
    void tick() throws IOException {
        long begin = nanoTime.getAsLong();
        Collection<ListedContainer> listed = containers.get();
        figures = node.get();
        sample(listed, true);
        tickCost = nanoTime.getAsLong() - begin;
        planLook(listed);
    }

    private void lookAsRequested() throws IOException {
        lookRequested.set(false);
        lookUntil = nanoTime.getAsLong() + LAUNCH_PATIENCE_NANOS;
        look();
    }

    /** Samples the containers that begin, end or are young, if there are any; else does nothing. */
    void look() throws IOException {
        long begin = nanoTime.getAsLong();
        if (begin - notBefore < 0) {
            plan(notBefore - begin);
            return;
        }
        Collection<ListedContainer> listed = containers.betweenTicks();
        boolean begun = listed.stream().anyMatch(this::begins);
        long running =
                histories.values().stream().filter(history -> !history.ended()).count();
        boolean over = listed.stream().filter(container -> !isNew(container)).count() < running;
        if (begun || over || histories.values().stream().anyMatch(history -> isDue(history, begin))) {
            sample(listed, false);
            long end = nanoTime.getAsLong();
            // The cheaper of two: one that is slow by chance must not keep the next container from being seen.
            notBefore = end + Math.min(tickCost, end - begin) * REST_PER_EXTRA_SNAPSHOT;
        }
        planLook(listed);
    }

    /** Whether the container has a process of which there is no sample. */
    private boolean begins(ListedContainer container) {
        OptionalLong pid = container.rootPid();
        return pid.isPresent()
                && (isNew(container) || histories.get(container.id()).watched().rootPid() != pid.getAsLong());
    }

    private boolean isNew(ListedContainer container) {
        ContainerHistory history = histories.get(container.id());
        return history == null || history.ended();
    }

    private boolean isYoung(ContainerHistory history, long now) {
        return !history.ended() && now - history.firstNanos() < youngNanos;
    }

    private boolean isDue(ContainerHistory history, long now) {
        return isYoung(history, now) && now - history.newestNanos() >= youngNanos / SAMPLES_OF_THE_YOUNG;
    }

    /** Looks again for the process of a container that has just been launched, and as long as there is a young one. */
    private void planLook(Collection<ListedContainer> listed) {
        long now = nanoTime.getAsLong();
        if (now - lookUntil < 0 && listed.stream().anyMatch(container -> !container.waiting() && isNew(container))) {
            plan(LAUNCH_POLL_NANOS);
        } else if (histories.values().stream().anyMatch(history -> isYoung(history, now))) {
            plan(youngNanos / SAMPLES_OF_THE_YOUNG);
        }
    }

    private void plan(long nanos) {
        nextLook.cancel(false);
        try {
            nextLook = thread.schedule(() -> caught(this::look), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed; nobody looks any more.
        }
    }

    /**
     * Takes one snapshot and publishes the report.
     *
     * @param all whether it is added to every container, or to those only that begin, end or are young
     */
    private void sample(Collection<ListedContainer> listed, boolean all) throws IOException {
        Map<String, ListedContainer> byId = new LinkedHashMap<>();
        listed.forEach(container -> byId.put(container.id(), container));
        Map<String, WatchedContainer> watched = watched(byId);
        Map<String, Map<Signal, Count>> counts = source.snapshot(List.copyOf(watched.values()));
        long now = nanoTime.getAsLong();
        Map<String, ContainerHistory> next = new LinkedHashMap<>();
        for (ListedContainer container : byId.values()) {
            listed(container, Optional.ofNullable(watched.get(container.id())), counts, all, now)
                    .ifPresent(history -> next.put(history.id(), history));
        }
        List<ContainerHistory> over = new ArrayList<>();
        for (ContainerHistory history : histories.values()) {
            if (byId.containsKey(history.id())) {
                continue;
            }
            if (!history.ended()) {
                over.add(history);
                next.put(history.id(), added(history, counts, now).endedAt(now));
            } else if (!all) {
                next.put(history.id(), history);
            } else if (stillReported(history, now)) {
                next.put(history.id(), history.endedAt(now));
            }
        }
        histories = next;
        publish();
        over.forEach(history -> events.ended(Duration.ofNanos(now - history.firstNanos())));
    }

    /** A container whose process is not known, or no longer, is watched by its last one. */
    private Map<String, WatchedContainer> watched(Map<String, ListedContainer> listed) {
        Map<String, WatchedContainer> watched = new LinkedHashMap<>();
        for (ListedContainer container : listed.values()) {
            OptionalLong pid = container.rootPid();
            if (pid.isPresent()) {
                watched.put(container.id(), new WatchedContainer(container.id(), pid.getAsLong(), container.user()));
            }
        }
        for (ContainerHistory history : histories.values()) {
            if (!history.ended()) {
                watched.putIfAbsent(history.id(), history.watched());
            }
        }
        return watched;
    }

    private Optional<ContainerHistory> listed(
            ListedContainer container,
            Optional<WatchedContainer> watched,
            Map<String, Map<Signal, Count>> counts,
            boolean all,
            long now) {
        Optional<ContainerHistory> known = Optional.ofNullable(histories.get(container.id()));
        if (watched.isEmpty()) {
            return known.map(history -> history.listed(history.watched(), container.launch()));
        }
        if (known.isEmpty()) {
            return Optional.ofNullable(counts.get(container.id()))
                    .map(sample -> ContainerHistory.first(watched.get(), container.launch(), now, sample));
        }
        ContainerHistory history = known.get().listed(watched.get(), container.launch());
        boolean concerned = all || begins(container) || isDue(history, now);
        return Optional.of(concerned ? added(history, counts, now) : history);
    }

    private ContainerHistory added(ContainerHistory history, Map<String, Map<Signal, Count>> counts, long now) {
        Map<Signal, Count> sample = counts.get(history.id());
        if (sample == null) {
            return history;
        }
        ContainerHistory counted = history.with(now, sample);
        double seconds = (counted.newestNanos() - history.newestNanos()) / NANOS_PER_SECOND;
        return counted.exchanging(Optional.ofNullable(source.flows().get(history.id())), seconds)
                .takenBy(Optional.ofNullable(source.preemptors().get(history.id())), seconds);
    }

    private static boolean stillReported(ContainerHistory history, long now) {
        return history.endedTicks() < TICKS_AFTER_THE_END || now - history.endedNanos() < TIME_AFTER_THE_END.toNanos();
    }

    private void publish() {
        List<ContainerReport> reports = new ArrayList<>(histories.size());
        histories.values().forEach(history -> reports.add(history.report()));
        sequence++;
        NodeReport report = new NodeReport(incarnation, sequence, clock.instant(), reports, figures);
        Map<String, Double> cpuSeconds = new HashMap<>();
        histories.values().forEach(history -> history.cpuSeconds()
                .ifPresent(seconds -> cpuSeconds.put(history.id(), seconds)));
        newest.set(new Sampled(report, cpuSeconds));
        events.published(report);
    }
}
