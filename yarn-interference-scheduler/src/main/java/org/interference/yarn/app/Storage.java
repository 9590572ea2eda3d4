package org.interference.yarn.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.rest.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens, fills and closes the store on a thread of its own, so that nobody waits for one that hangs or is not there. It is tried again until
 * it opens; what was learnt by then is written then. Thread-safe; no method throws.
 */
final class Storage {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    /** Who has lost its activity without noticing is told so within seconds, and tries no more. */
    private static final Duration FIRST_PAUSE_AFTER_A_TAKEOVER = Duration.ofMinutes(1);

    private static final Duration LONGEST_PAUSE_AFTER_A_TAKEOVER = Duration.ofHours(1);
    /** From then on a task that runs is taken to hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ProfileWriter writer;
    private final ExecutorService thread;
    private final BooleanSupplier whenOpen;
    private final boolean sameDirectory;
    private final Faults faults;
    private final InstantSource clock;
    /** What is to be written beside the profiles, the newest of each name. */
    private final Map<String, Runnable> waiting = new ConcurrentHashMap<>();
    /** Since when the thread works; null while it does not. */
    private final AtomicReference<Instant> busySince = new AtomicReference<>();

    // Only on the thread.
    private Instant next = Instant.MIN;
    private Duration pause = FIRST_PAUSE;
    private Duration pauseAfterATakeover = FIRST_PAUSE_AFTER_A_TAKEOVER;
    private boolean besideIsRead;
    private Instant nextBeside = Instant.MIN;
    private Duration pauseBeside = FIRST_PAUSE;

    /**
     * @param thread runs one task at a time; {@link #stop} ends it
     * @param whenOpen reads what is kept beside the profiles; false if it cannot be read now, and then nothing is written over it
     * @param sameDirectory whether that is where they are: then it waits until they can be read
     */
    Storage(
            ProfileWriter writer,
            ExecutorService thread,
            BooleanSupplier whenOpen,
            boolean sameDirectory,
            Faults faults,
            InstantSource clock) {
        this.writer = writer;
        this.thread = thread;
        this.whenOpen = whenOpen;
        this.sameDirectory = sameDirectory;
        this.faults = faults;
        this.clock = clock;
    }

    /** Does what is due, unless the thread is still at the last of it; to be called every second. Never waits. */
    void tend() {
        if (!busySince.compareAndSet(null, clock.instant())) {
            return;
        }
        try {
            thread.execute(() -> {
                try {
                    safely(this::work);
                } finally {
                    busySince.set(null);
                }
            });
        } catch (RejectedExecutionException e) {
            // It has stopped.
            busySince.set(null);
        }
    }

    /** Has {@code writing} run once what is in the store was read, in place of what waits under the same name. */
    void later(String name, Runnable writing) {
        waiting.put(name, writing);
    }

    private void work() {
        Instant now = clock.instant();
        if (!now.isBefore(next)) {
            tendProfiles(now);
        }
        if (writer.isOpen() || !sameDirectory) {
            if (!besideIsRead && !now.isBefore(nextBeside)) {
                readBeside(now);
            }
            if (besideIsRead) {
                writeBeside();
            }
        }
    }

    private void tendProfiles(Instant now) {
        boolean wasOpen = writer.isOpen();
        boolean well = wasOpen ? writer.save() : writer.load(now);
        if (well) {
            pause = FIRST_PAUSE;
            next = now;
        } else if (wasOpen && !writer.isOpen()) {
            next = now.plus(pauseAfterATakeover);
            pauseAfterATakeover = doubled(pauseAfterATakeover, LONGEST_PAUSE_AFTER_A_TAKEOVER);
        } else {
            next = now.plus(pause);
            pause = doubled(pause, LONGEST_PAUSE);
        }
    }

    private static Duration doubled(Duration pause, Duration longest) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(longest) < 0 ? twice : longest;
    }

    private void readBeside(Instant now) {
        nextBeside = now.plus(pauseBeside);
        pauseBeside = doubled(pauseBeside, LONGEST_PAUSE);
        safely(() -> besideIsRead = whenOpen.getAsBoolean());
    }

    private void writeBeside() {
        for (String name : List.copyOf(waiting.keySet())) {
            Runnable writing = waiting.remove(name);
            if (writing != null) {
                safely(writing);
            }
        }
    }

    private void safely(Runnable action) {
        faults.safely(Part.STORE, action);
    }

    /** Writes what is not written yet and closes the store, if that takes no longer than {@code atMost}. From then on nothing is changed there. */
    void stop(Duration atMost) throws InterruptedException {
        try {
            thread.execute(() -> safely(() -> {
                if (writer.isOpen()) {
                    // What fails is in the log.
                    boolean unused = writer.save();
                }
                // Who was fenced from the store does not write over what is another's now.
                if (besideIsRead && (writer.isOpen() || !sameDirectory)) {
                    writeBeside();
                }
                writer.close();
            }));
        } catch (RejectedExecutionException e) {
            LOG.warn("the store has been stopped already");
        }
        thread.shutdown();
        if (!thread.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warn("the profile store does not answer; what was learnt last may be lost");
        }
        writer.leaveAlone();
        thread.shutdownNow();
    }

    Sources.Store status() {
        Sources.Store known = writer.status();
        Instant since = busySince.get();
        Duration silent = since == null ? Duration.ZERO : Duration.between(since, clock.instant());
        return silent.compareTo(PATIENCE) < 0
                ? known
                : new Sources.Store(
                        known.file(),
                        Optional.of("%s has not answered for %d s; profiles are kept in memory"
                                .formatted(known.file(), silent.toSeconds())));
    }
}
