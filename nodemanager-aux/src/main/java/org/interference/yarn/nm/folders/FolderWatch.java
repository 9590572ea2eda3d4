package org.interference.yarn.nm.folders;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.collect.WatchedContainer;

/**
 * Looks into containers' work folders, each round on a thread of its own, so that no disk and no application keeps the sampler waiting.
 * Used by one thread.
 *
 * <p>A round reads what each application has written, and walks through the folders of one container: each has its turn once in {@value
 * #WALK_SECONDS} s, or later, since the time between two walks is {@value #REST_PER_WALK} times what the first took. What hangs is given up
 * with its container, as on a disk that does not answer; after {@value #MOST_HUNG} threads that still hang there are no rounds.
 */
final class FolderWatch implements AutoCloseable {
    static final long WALK_SECONDS = 60;
    static final long LONGEST_LOOK_SECONDS = 10;
    /** A NodeManager that pauses as a whole is not a look that hangs. */
    static final int LOOKS_AT_WHAT_HANGS = 3;

    private static final long REST_PER_WALK = 100;
    private static final int MOST_HUNG = 4;

    private final List<Path> localDirectories;
    private final LongSupplier nanoTime;
    private final ThreadFactory threads;
    private final List<Thread> hung = new ArrayList<>();
    private Map<String, ContainerFolders> known = Map.of();
    private Optional<Round> round = Optional.empty();
    /** Written by the round, of which there is one at a time. */
    private volatile long nextWalkNanos;

    /** @param nanoTime a monotonic clock, as {@link System#nanoTime} */
    FolderWatch(List<Path> localDirectories, LongSupplier nanoTime, ThreadFactory threads) {
        this.localDirectories = List.copyOf(localDirectories);
        this.nanoTime = nanoTime;
        this.threads = threads;
        this.nextWalkNanos = nanoTime.getAsLong();
    }

    /** Forgets all other containers, and begins a round unless one is under way. Returns at once. */
    void look(Collection<WatchedContainer> containers) {
        long now = nanoTime.getAsLong();
        Map<String, ContainerFolders> next = new HashMap<>();
        for (WatchedContainer container : containers) {
            ContainerFolders before = known.get(container.id());
            next.put(container.id(), before == null ? new ContainerFolders(container, localDirectories, now) : before);
        }
        known = next;
        round.filter(running -> running.hangs(now)).ifPresent(this::giveUp);
        hung.removeIf(thread -> !thread.isAlive());
        if (round.filter(Round::isUnderWay).isEmpty() && hung.size() < MOST_HUNG) {
            begin(now);
        }
    }

    private void begin(long now) {
        try {
            Round begun = new Round(List.copyOf(known.values()), now);
            begun.thread.start();
            round = Optional.of(begun);
        } catch (Throwable e) {
            // As where there are no threads left: perhaps there are at the next look, and what is counted elsewhere
            // must not be lost by it.
            round = Optional.empty();
        }
    }

    /** Returns what was seen of a container that was among those of the last {@link #look}. */
    ContainerFolders of(String container) {
        return known.get(container);
    }

    private void giveUp(Round hanging) {
        hanging.current.ifPresent(ContainerFolders::giveUp);
        hanging.thread.interrupt();
        hung.add(hanging.thread);
        round = Optional.empty();
    }

    @Override
    public void close() {
        round.ifPresent(running -> running.thread.interrupt());
    }

    private final class Round {
        private final List<ContainerFolders> containers;
        private final Thread thread;
        private volatile Optional<ContainerFolders> current = Optional.empty();
        private volatile long currentNanos;
        /** Of the thread that asks: which container was under way, and how often that was seen. */
        private long seenNanos;

        private int seen;

        Round(List<ContainerFolders> containers, long now) {
            this.containers = containers;
            this.currentNanos = now;
            this.thread = threads.newThread(this::look);
        }

        boolean isUnderWay() {
            return thread.isAlive();
        }

        /** Asked once for each look of the thread that asks. */
        boolean hangs(long now) {
            seen = seenNanos == currentNanos ? seen + 1 : 1;
            seenNanos = currentNanos;
            return isUnderWay()
                    && seen >= LOOKS_AT_WHAT_HANGS
                    && now - seenNanos > TimeUnit.SECONDS.toNanos(LONGEST_LOOK_SECONDS);
        }

        /** Nothing gets out of it: YARN halts a NodeManager in which an error ends a thread. */
        private void look() {
            try {
                lookIntoEach();
            } catch (Throwable e) {
                current.ifPresent(ContainerFolders::giveUp);
            }
        }

        private void lookIntoEach() {
            for (ContainerFolders container : containers) {
                if (begin(container)) {
                    container.readProgress(nanoTime.getAsLong());
                }
            }
            long now = nanoTime.getAsLong();
            if (now - nextWalkNanos >= 0) {
                containers.stream()
                        .filter(container -> isDue(container, now))
                        .max(Comparator.comparingLong(container -> sinceItsWalk(container, now)))
                        .filter(this::begin)
                        .ifPresent(this::walk);
            }
        }

        /** Returns false where nothing is to be looked into, or this round was given up. */
        private boolean begin(ContainerFolders container) {
            current = Optional.of(container);
            currentNanos = nanoTime.getAsLong();
            return container.canBeLookedInto() && !thread.isInterrupted();
        }

        private void walk(ContainerFolders container) {
            long begin = nanoTime.getAsLong();
            container.walk(nanoTime);
            long end = nanoTime.getAsLong();
            nextWalkNanos = end + (end - begin) * REST_PER_WALK;
        }
    }

    private static boolean isDue(ContainerFolders container, long now) {
        return container.canBeLookedInto() && sinceItsWalk(container, now) >= TimeUnit.SECONDS.toNanos(WALK_SECONDS);
    }

    private static long sinceItsWalk(ContainerFolders container, long now) {
        return container.walkedNanos().map(walked -> now - walked).orElse(Long.MAX_VALUE);
    }
}
