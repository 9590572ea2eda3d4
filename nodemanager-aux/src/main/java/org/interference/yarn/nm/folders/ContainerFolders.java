package org.interference.yarn.nm.folders;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.WatchedContainer;

/**
 * One container's work folders, and what was last seen in them. One thread looks ({@link #readProgress}, {@link #walk}), another asks what was
 * seen ({@link #progress}, {@link #disk}).
 */
final class ContainerFolders {
    static final String SOURCE = "folders";

    static final String NOT_YET = "its work folders were not looked into yet";
    static final String HANGS = "a look into its work folders failed or took too long, and is not repeated";
    static final String UNKNOWN = "the NodeManager does not tell whose folders are its own";

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double BYTES_PER_KIB = 1024;

    private final List<WorkFolder> folders;
    private final List<Path> localDirectories;

    /** Of the thread that looks. */
    private Optional<ProgressCount> said = Optional.empty();

    private volatile Count progress = new Count.NotCounted(NOT_YET, ProgressCount.SOURCE);
    private volatile Optional<FolderSizes> footprint = Optional.empty();
    private volatile String noFootprint = NOT_YET;
    private volatile Optional<Long> walkedNanos = Optional.empty();
    private volatile boolean hangs;

    /** Of the thread that asks. */
    private double heldKib;

    private double roomKib;
    private long askedNanos;

    /** @param nanos when the container is first seen, by the clock of all the others here */
    ContainerFolders(WatchedContainer container, List<Path> localDirectories, long nanos) {
        this.folders = WorkFolder.of(container, localDirectories);
        this.localDirectories = localDirectories;
        this.askedNanos = nanos;
        if (folders.isEmpty()) {
            progress = new Count.NotCounted(UNKNOWN, ProgressCount.SOURCE);
            noFootprint = UNKNOWN;
        }
    }

    /** Whether there is anything to look into. */
    boolean canBeLookedInto() {
        return !folders.isEmpty() && !hangs;
    }

    /** Returns when {@link #walk} was last done. */
    Optional<Long> walkedNanos() {
        return walkedNanos;
    }

    void readProgress(long nanos) {
        try {
            OptionalDouble number = ProgressFile.read(folders);
            if (number.isPresent()) {
                said = Optional.of(said.map(known -> known.with(number.getAsDouble(), nanos))
                        .orElseGet(() -> ProgressCount.first(number.getAsDouble(), nanos)));
                progress = said.get().count();
            }
        } catch (UntoldException e) {
            progress = new Count.NotCounted(e.getMessage(), ProgressCount.SOURCE);
        }
    }

    void walk(LongSupplier nanoTime) {
        walkedNanos = Optional.of(nanoTime.getAsLong());
        try {
            footprint = Optional.of(FolderSizes.of(folders, localDirectories, nanoTime));
        } catch (UntoldException e) {
            noFootprint = e.getMessage();
            footprint = Optional.empty();
        }
    }

    /** A look failed or does not come back: there will be none any more. */
    void giveUp() {
        hangs = true;
    }

    Count progress() {
        return hangs ? new Count.NotCounted(HANGS, ProgressCount.SOURCE) : progress;
    }

    /** Returns what lay there until {@code nanos}; between two walks it is taken for what it was at the first. */
    Count disk(long nanos) {
        double seconds = (nanos - askedNanos) / NANOS_PER_SECOND;
        askedNanos = nanos;
        Optional<FolderSizes> seen = footprint;
        if (hangs || seen.isEmpty()) {
            return new Count.NotCounted(hangs ? HANGS : noFootprint, SOURCE);
        }
        heldKib += seen.get().bytes() / BYTES_PER_KIB * seconds;
        roomKib += seen.get().capacity() / BYTES_PER_KIB * seconds;
        return new Count.Counted(heldKib, roomKib, false, SOURCE);
    }
}
