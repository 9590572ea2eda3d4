package org.interference.yarn.place;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;

/**
 * Whether the plugin may decide anything now: the mode of each queue, the breaker that errors open, and its share of the scheduler's time
 * (ADR-0017, ADR-0021, ADR-0028). Thread-safe; no method throws.
 */
public final class Gate {
    private final AtomicReference<Active> active;
    private final LongSupplier ticker;
    private final Faults faults;
    private final DecisionTimes times = new DecisionTimes();
    private final LongAdder spentNanos = new LongAdder();
    private final LongAdder tooSlow = new LongAdder();

    /** @param ticker nanoseconds, by which decisions are timed */
    Gate(PlaceSettings settings, LongSupplier ticker, Faults faults) {
        this.active = new AtomicReference<>(Active.of(settings, ticker));
        this.ticker = ticker;
        this.faults = faults;
    }

    /** Takes new settings; the breaker closes and counts anew. */
    void refresh(PlaceSettings settings) {
        active.set(Active.of(settings, ticker));
    }

    /** Returns the settings in force. */
    public PlaceSettings settings() {
        return active.get().settings();
    }

    TagCosts tagCosts() {
        return active.get().settings().tagCosts();
    }

    Ranker ranker() {
        return active.get().ranker();
    }

    /**
     * Returns the mode in force where no queue has its own: the one of the settings, but {@link Mode#SHADOW} for {@link Mode#ON} after
     * too many errors.
     */
    public Mode mode() {
        Active now = active.get();
        return now.inForce(now.settings().mode());
    }

    /** Returns the mode in force for {@code queue}, a full path: its own, the one of a queue above it, or {@link #mode()}. */
    public Mode mode(String queue) {
        Active now = active.get();
        return now.inForce(now.settings().queueModes().of(queue, now.settings().mode()));
    }

    /** Returns what equals what it returned before as long as every setting, and the mode in force for every queue, is the same. */
    public Object epoch() {
        Active now = active.get();
        return now.breaker().isOpen() ? now.breaker() : now;
    }

    /** Returns whether the requests of any queue may be in {@code mode}. */
    public boolean anybodyIn(Mode mode) {
        return active.get().anybodyIn(mode);
    }

    /** Returns whether all queues are off: nothing is ranked, recorded or accounted for. */
    public boolean isOff() {
        return active.get().isOff();
    }

    /** Returns whether nothing may be done by what is predicted: all queues are off, or errors have opened the breaker. */
    public boolean forbidsEverything() {
        return isOff() || active.get().breaker().isOpen();
    }

    /** Returns whether anything may be decided now: the plugin has not had its share of the scheduler's time, nor ever taken too long. */
    public boolean hasTime() {
        Active now = active.get();
        return now.budget().isLeft() && !now.breaker().isSlow();
    }

    /** Returns the moment from which {@link #spent} is to count. */
    public long begin() {
        return ticker.getAsLong();
    }

    /** Counts the time since {@code began}, which a scheduling thread has spent on a decision of the plugin's: no more than one may take. */
    public void spent(long began) {
        spentNanos.add(charged(began));
    }

    /**
     * Counts the time since {@code began}, which a scheduling thread has spent on what many decisions are made by: all of it, up to a tenth of
     * a second.
     */
    public void worked(long began) {
        Active now = active.get();
        long nanos = now.settings().limits().atMostOfWork(since(began));
        now.budget().spend(nanos);
        spentNanos.add(nanos);
    }

    /**
     * Charges the time since {@code began}, which a scheduler has gone on for because of a decision, to the plugin's share of its time: no more than one
     * decision may take.
     */
    public void caused(long began) {
        charged(began);
    }

    /** Notes that a scheduling thread had nothing to do for so many nanoseconds: part of that may go to decisions as well. */
    public void idle(long nanos) {
        if (nanos > 0) {
            active.get().budget().idle(nanos);
        }
    }

    private long charged(long began) {
        Active now = active.get();
        long nanos = now.settings().limits().atMost(since(began));
        now.budget().spend(nanos);
        return nanos;
    }

    /** Returns whether a decision that began then has had half of the time that it may take: it is to be made of what is there. */
    public boolean isHalfOver(long began) {
        return active.get().settings().limits().isTooLong(2 * since(began));
    }

    /** Returns whether a decision that began then has had all the time that it may take. */
    boolean isOver(long began) {
        return active.get().settings().limits().isTooLong(since(began));
    }

    /** Takes note of a decision that has just been made, and returns whether it took too long to be used. */
    boolean tookTooLong(long began) {
        Active now = active.get();
        long nanos = since(began);
        times.record(nanos);
        if (!now.settings().limits().isTooLong(nanos)) {
            return false;
        }
        tooSlow.increment();
        now.breaker().tooSlow(nanos);
        return true;
    }

    private long since(long began) {
        return ticker.getAsLong() - began;
    }

    /** Returns what {@code decision} returns, or {@code otherwise} if it throws: where the errors of decisions end. */
    public <T> T decide(Supplier<T> decision, T otherwise) {
        try {
            return decision.get();
        } catch (Throwable e) {
            failed(e);
            return otherwise;
        }
    }

    /** Returns what {@code decision} returns, and counts the time that it takes. */
    public <T> T timed(Supplier<T> decision) {
        long began = begin();
        try {
            return decision.get();
        } finally {
            spent(began);
        }
    }

    /** Takes note of an error in a decision; enough of them open the breaker. */
    public void failed(Throwable error) {
        faults.note(Part.DECISION, error);
        active.get().breaker().error(error);
    }

    /** Returns what is told of every other error. */
    public Faults faults() {
        return faults;
    }

    /** Returns how long rankings, matchings and declinings took. */
    public DecisionTimes.Snapshot decisionTimes() {
        return times.snapshot();
    }

    /** Returns how much of the schedulers' time the plugin has taken, with what it does beside deciding. */
    public Duration timeSpent() {
        return Duration.ofNanos(spentNanos.sum());
    }

    /** Returns the share of a scheduler's time that the plugin may take, from 0 to 1; 1 is no limit. */
    public double timeShare() {
        return active.get().settings().limits().share();
    }

    /** Returns what an operator asks first. */
    public Health health() {
        Active now = active.get();
        return new Health(
                now.settings().mode(),
                mode(),
                now.settings().queueModes().values().entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, entry -> now.inForce(entry.getValue()))),
                now.breaker().open(),
                now.breaker().errors(),
                now.breaker().isOnTrial(),
                faults.total(),
                tooSlow.sum());
    }

    /**
     * What an operator asks first.
     *
     * @param queueModes in force, of queues that have one of their own, by full path
     * @param breakerOpen why the plugin no longer decides; empty while it may
     * @param breakerErrors errors of decisions in the last ten minutes
     * @param breakerOnTrial whether decisions are used again to see whether the breaker can be closed
     * @param errors of all parts of the plugin in this ResourceManager's life
     * @param tooSlow decisions that took too long to be used
     */
    public record Health(
            Mode configuredMode,
            Mode mode,
            Map<String, Mode> queueModes,
            Optional<String> breakerOpen,
            int breakerErrors,
            boolean breakerOnTrial,
            long errors,
            long tooSlow) {}
}
