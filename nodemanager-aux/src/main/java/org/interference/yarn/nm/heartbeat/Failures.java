package org.interference.yarn.nm.heartbeat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;

/** Counts what went wrong by kind, and logs the first of each kind only. Safe for use by several threads. */
public final class Failures {
    private final Logger log;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public Failures(Logger log) {
        this.log = log;
    }

    /** Notes a failure; {@code what} says what failed and what happens instead, and its kind also has the cause's type. */
    public void note(String what, Throwable cause) {
        if (count(what + " " + cause.getClass().getName()) == 1) {
            log.warn("{}; logged once, then counted.", what, cause);
        }
    }

    /** Notes a failure that has no exception. */
    public void note(String what, String detail) {
        if (count(what) == 1) {
            log.warn("{}: {}; logged once, then counted.", what, detail);
        }
    }

    /** Returns how often anything failed. */
    public long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private long count(String kind) {
        LongAdder count = counts.computeIfAbsent(kind, ignored -> new LongAdder());
        count.increment();
        return count.sum();
    }
}
