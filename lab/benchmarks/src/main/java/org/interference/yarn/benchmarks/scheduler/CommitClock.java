package org.interference.yarn.benchmarks.scheduler;

import java.util.concurrent.atomic.AtomicLong;

/** How long commits take: written by the thread that commits, read by another. */
final class CommitClock {
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    /** Says that a commit has ended. */
    void committed(long nanosOfCommit) {
        nanos.addAndGet(nanosOfCommit);
        commits.incrementAndGet();
    }

    long commits() {
        return commits.get();
    }

    /** Returns the nanoseconds of all commits that {@link #commits} has counted, at least. */
    long nanos() {
        return nanos.get();
    }

    /** A scheduler that tells. */
    interface Owner {
        CommitClock commitClock();
    }
}
