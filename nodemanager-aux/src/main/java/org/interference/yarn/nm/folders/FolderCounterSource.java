package org.interference.yarn.nm.folders;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.Signal;

/** Another source, and beside what that counts what the containers' work folders tell: {@link Signal#PROGRESS} and {@link Signal#DISK}. */
public final class FolderCounterSource implements CounterSource {
    /** A container of which nothing else is counted may be one that has ended, whose last sample stays. */
    static final String NOTHING_COUNTED = "nothing else is counted of it either";

    private final CounterSource counters;
    private final FolderWatch folders;
    private final LongSupplier nanoTime;

    /**
     * @param localDirectories the NodeManager's, below which the containers' work folders are
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public FolderCounterSource(CounterSource counters, List<Path> localDirectories, LongSupplier nanoTime) {
        this(counters, localDirectories, nanoTime, FolderCounterSource::daemon);
    }

    /** @param threads makes the thread of each round of looks */
    FolderCounterSource(
            CounterSource counters, List<Path> localDirectories, LongSupplier nanoTime, ThreadFactory threads) {
        this.counters = counters;
        this.folders = new FolderWatch(localDirectories, nanoTime, threads);
        this.nanoTime = nanoTime;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "interference-folders");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public String name() {
        return counters.name();
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
        folders.look(containers);
        Map<String, Map<Signal, Count>> counted = new HashMap<>(counters.snapshot(containers));
        long now = nanoTime.getAsLong();
        counted.replaceAll((id, counts) -> with(folders.of(id), counts, now));
        return counted;
    }

    private static Map<Signal, Count> with(ContainerFolders seen, Map<Signal, Count> counts, long now) {
        Map<Signal, Count> all = new EnumMap<>(Signal.class);
        all.putAll(counts);
        boolean lives = counts.values().stream().anyMatch(count -> count instanceof Count.Counted);
        all.put(Signal.PROGRESS, lives ? seen.progress() : new Count.NotCounted(NOTHING_COUNTED, ProgressCount.SOURCE));
        all.put(Signal.DISK, lives ? seen.disk(now) : new Count.NotCounted(NOTHING_COUNTED, ContainerFolders.SOURCE));
        return all;
    }

    @Override
    public Map<String, Map<String, Double>> preemptors() {
        return counters.preemptors();
    }

    @Override
    public Map<String, List<Flow>> flows() {
        return counters.flows();
    }

    @Override
    public void close() {
        folders.close();
        counters.close();
    }
}
