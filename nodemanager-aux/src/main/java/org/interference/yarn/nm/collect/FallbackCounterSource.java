package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.Signal;

/**
 * One source as long as it answers, and in the ticks in which it does not another one, which is not asked otherwise.
 *
 * <p>The preferred source is tried again every {@value #RETRY_SECONDS} s. A source that stands in is made anew each time,
 * so it never counts what happened while it was not asked.
 */
public final class FallbackCounterSource implements CounterSource {
    static final long RETRY_SECONDS = 5;

    private final CounterSource preferred;
    private final Supplier<? extends CounterSource> spares;
    private final LongSupplier nanoTime;
    private final Changes changes;
    private Optional<CounterSource> standIn = Optional.empty();
    private boolean everUsed;
    private long retryAt;

    /** Told once of each change of the source in use, on the sampling thread. */
    public interface Changes {
        /**
         * Another source is in use from this tick on.
         *
         * @param source the name of the source in use
         * @param failure why it is not the preferred one; empty if it is
         */
        void changed(String source, Optional<Exception> failure);
    }

    /**
     * @param spares makes what stands in for {@code preferred}
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public FallbackCounterSource(
            CounterSource preferred, Supplier<? extends CounterSource> spares, LongSupplier nanoTime, Changes changes) {
        this.preferred = preferred;
        this.spares = spares;
        this.nanoTime = nanoTime;
        this.changes = changes;
    }

    @Override
    public String name() {
        return preferred.name() + " or what stands in for it";
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
        if (standIn.isEmpty() || nanoTime.getAsLong() - retryAt >= 0) {
            try {
                Map<String, Map<Signal, Count>> counts = preferred.snapshot(containers);
                usePreferred();
                return counts;
            } catch (IOException | RuntimeException e) {
                if (Thread.currentThread().isInterrupted()) {
                    // The sampler is being stopped; that is no failure of the source.
                    throw e;
                }
                retryAt = nanoTime.getAsLong() + TimeUnit.SECONDS.toNanos(RETRY_SECONDS);
                useSpare(e);
            }
        }
        return standIn.orElseThrow().snapshot(containers);
    }

    @Override
    public Map<String, Map<String, Double>> preemptors() {
        return standIn.orElse(preferred).preemptors();
    }

    @Override
    public Map<String, List<Flow>> flows() {
        return standIn.orElse(preferred).flows();
    }

    private void usePreferred() {
        if (standIn.isPresent() || !everUsed) {
            standIn.ifPresent(CounterSource::close);
            standIn = Optional.empty();
            everUsed = true;
            changes.changed(preferred.name(), Optional.empty());
        }
    }

    private void useSpare(Exception failure) {
        if (standIn.isEmpty()) {
            CounterSource spare = spares.get();
            standIn = Optional.of(spare);
            changes.changed(spare.name(), Optional.of(failure));
        }
    }

    @Override
    public void close() {
        preferred.close();
        standIn.ifPresent(CounterSource::close);
    }
}
