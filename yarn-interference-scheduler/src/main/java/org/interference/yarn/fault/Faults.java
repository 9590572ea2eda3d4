package org.interference.yarn.fault;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts each error that the plugin has caught, by its part, and has each kind logged once a minute at most, with its stack trace. A kind
 * is a part, a class and a place in the code. Thread-safe; {@link #note} never throws.
 */
public final class Faults {
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);
    /** Of more kinds the one that happened longest ago is forgotten. */
    private static final int MOST_KINDS = 64;

    private static final int SHOWN = 10;
    private static final String OURS = "org.interference.yarn.";

    private final InstantSource clock;
    private final Log log;
    private final Map<Part, LongAdder> counts = new EnumMap<>(Part.class);
    /** The one that happened last is the last. */
    private final Map<String, Seen> seen = new LinkedHashMap<>(16, 0.75f, true);

    /** Where errors are logged. */
    @FunctionalInterface
    public interface Log {
        void error(String message, Throwable error);
    }

    /**
     * One kind of error.
     *
     * @param error its class; what it says may be of somebody who is not to be shown
     * @param at where in the code
     * @param count how often it happened
     * @param last when it happened last
     */
    public record Kind(Part part, String error, String at, long count, Instant last) {}

    /**
     * A kind, and what the log has of it.
     *
     * @param logged when it was last
     * @param countThen how often it had happened then
     */
    private record Seen(Kind kind, Instant logged, long countThen) {}

    public Faults(InstantSource clock, Log log) {
        this.clock = clock;
        this.log = log;
        Arrays.stream(Part.values()).forEach(part -> counts.put(part, new LongAdder()));
    }

    /** Returns one that only counts. */
    public static Faults unlogged() {
        return new Faults(InstantSource.fixed(Instant.EPOCH), (message, error) -> {});
    }

    /** Runs {@code action} to its end, or to whatever it throws, which is noted: where something of {@code part} that YARN has called ends. */
    @SuppressWarnings("CatchThrowable") // On threads of the ResourceManager.
    public void safely(Part part, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            note(part, e);
        }
    }

    /**
     * Takes note of an error that was caught in {@code part}.
     *
     * @return the number of its kind, with which it is logged: all that anybody may be told of it
     */
    @SuppressWarnings(
            "CatchThrowable") // Called where everything has been caught already, on threads of the ResourceManager.
    public String note(Part part, Throwable error) {
        counts.get(part).increment();
        String number = "unknown";
        try {
            String name = part + " " + error.getClass().getName() + " " + place(error);
            number = "%08x".formatted(name.hashCode());
            String message = noted(part, error, name, number);
            if (!message.isEmpty()) {
                log.error(message, error);
            }
        } catch (Throwable e) {
            // It is counted; there may be no memory to say more.
        }
        return number;
    }

    /** Returns what to log; empty if that was lately. */
    private synchronized String noted(Part part, Throwable error, String name, String number) {
        Instant now = clock.instant();
        Seen before = seen.get(name);
        long count = before == null ? 1 : before.kind().count() + 1;
        Kind kind = new Kind(part, error.getClass().getName(), place(error), count, now);
        if (before != null && before.logged().plus(BETWEEN_LINES).isAfter(now)) {
            seen.put(name, new Seen(kind, before.logged(), before.countThen()));
            return "";
        }
        seen.put(name, new Seen(kind, now, count));
        if (seen.size() > MOST_KINDS) {
            seen.remove(seen.keySet().iterator().next());
        }
        long unlogged = before == null ? 0 : count - before.countThen() - 1;
        return "the interference plugin failed (%s, incident %s), and %d times more since this was last logged"
                .formatted(part, number, unlogged);
    }

    /** Returns the first place of ours in the stack of {@code error}, or the place that threw it. */
    public static String place(Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        return Arrays.stream(stack)
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .or(() -> Arrays.stream(stack).findFirst())
                .map(frame -> frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber())
                .orElse("unknown");
    }

    /** Returns how many errors there were in each part. */
    public Map<Part, Long> counts() {
        EnumMap<Part, Long> snapshot = new EnumMap<>(Part.class);
        counts.forEach((part, count) -> snapshot.put(part, count.sum()));
        return Collections.unmodifiableMap(snapshot);
    }

    /** Returns how many errors there were. */
    public long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Returns the kinds that happened last, the newest first. */
    public synchronized List<Kind> newest() {
        List<Kind> all = new ArrayList<>();
        seen.values().forEach(known -> all.add(known.kind()));
        Collections.reverse(all);
        return List.copyOf(all.subList(0, Math.min(SHOWN, all.size())));
    }
}
