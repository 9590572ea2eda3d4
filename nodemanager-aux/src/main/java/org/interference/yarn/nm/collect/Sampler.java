package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Signal;

/**
 * Samples one NodeManager's containers on a thread of its own; {@link #newest} may be called from any thread.
 *
 * <p>A tick that fails leaves no report behind: what is not fresh is not sent.
 */
public final class Sampler implements AutoCloseable {
    /** An ended container is reported this often and this long, so that losing a few heartbeats loses nothing. */
    private static final int TICKS_AFTER_THE_END = 10;

    private static final Duration TIME_AFTER_THE_LAST_SAMPLE = Duration.ofSeconds(10);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

    private final CounterSource source;
    private final Supplier<? extends Collection<WatchedContainer>> containers;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Consumer<Throwable> failures;
    private final long incarnation;
    private final AtomicReference<NodeReport> newest = new AtomicReference<>();
    private final ScheduledExecutorService thread;
    private Map<String, ContainerHistory> histories = Map.of();
    private long sequence;

    /**
     * @param containers asked at every tick for the containers that run
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     * @param failures told of every tick that failed
     */
    public Sampler(
            CounterSource source,
            Supplier<? extends Collection<WatchedContainer>> containers,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Throwable> failures) {
        this.source = source;
        this.containers = containers;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.failures = failures;
        this.incarnation = clock.millis();
        this.thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread daemon = new Thread(work, "interference-sampler");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** Samples every {@code interval} until {@link #close}. */
    @SuppressWarnings("FutureReturnValueIgnored") // tryTick catches everything, so the future has nothing to tell.
    public void start(Duration interval) {
        thread.scheduleWithFixedDelay(this::tryTick, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the newest report; empty before the first tick and after one that failed. */
    public Optional<NodeReport> newest() {
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

    private void tryTick() {
        try {
            tick();
        } catch (Throwable e) {
            newest.set(null);
            if (!thread.isShutdown()) {
                failures.accept(e);
            }
        }
    }

    /** Takes one sample of all containers and publishes the report. */
    void tick() throws IOException {
        Collection<WatchedContainer> watched = containers.get();
        Map<String, Map<Signal, Count>> counts = source.snapshot(watched);
        long now = nanoTime.getAsLong();
        Map<String, ContainerHistory> next = new LinkedHashMap<>();
        for (WatchedContainer container : watched) {
            sampled(container.id(), now, counts).ifPresent(history -> next.put(container.id(), history));
        }
        for (ContainerHistory history : histories.values()) {
            if (!next.containsKey(history.id()) && stillReported(history, now)) {
                next.put(history.id(), history.ended());
            }
        }
        histories = next;
        publish();
    }

    private static boolean stillReported(ContainerHistory history, long now) {
        return history.endedTicks() < TICKS_AFTER_THE_END
                || now - history.newestNanos() < TIME_AFTER_THE_LAST_SAMPLE.toNanos();
    }

    private Optional<ContainerHistory> sampled(String id, long now, Map<String, Map<Signal, Count>> counts) {
        Optional<ContainerHistory> known = Optional.ofNullable(histories.get(id));
        Map<Signal, Count> sample = counts.get(id);
        if (sample == null) {
            return known.map(ContainerHistory::withoutSample);
        }
        return Optional.of(known.map(history -> history.with(now, sample))
                .orElseGet(() -> ContainerHistory.first(id, now, sample)));
    }

    private void publish() {
        List<ContainerReport> reports = new ArrayList<>(histories.size());
        histories.values().forEach(history -> reports.add(history.report()));
        sequence++;
        newest.set(new NodeReport(incarnation, sequence, clock.instant(), reports));
    }
}
