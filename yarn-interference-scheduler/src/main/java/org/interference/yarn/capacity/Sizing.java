package org.interference.yarn.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.capacity.SizeDecision.Action;
import org.interference.yarn.capacity.SizeDecision.Eviction;
import org.interference.yarn.capacity.SizeDecision.Figures;
import org.interference.yarn.capacity.SizeDecision.Reason;

/** One decision about one node: a function of its state, of what is remembered of it, and of the settings. */
final class Sizing {
    /** An older report says nothing of now: three heartbeats of the slowest that nodes are configured with, and some. */
    private static final Duration OLDEST_REPORT = Duration.ofSeconds(15);
    /** For so long a larger node waits for somebody who waits. */
    private static final Duration LINGER = Duration.ofMinutes(1);
    /** Between two evictions: the memory of the first has to be given back before anybody knows whether that was enough. */
    private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(5);
    /** Part of the reserve that is left when memory runs short. */
    private static final double LAST_PART = 0.5;

    /** A start of a JVM stalls a small node for seconds; ten are the shortest that the kernel's own averages are of. */
    private static final Duration LONGEST_STALL = Duration.ofSeconds(10);

    /** Mostly somebody leaves the node before: who is there by growth for longer goes. */
    private static final Duration LONGEST_DEBT = Duration.ofSeconds(30);

    private static final double STALLED_FOR_CPU = 0.95;
    private static final double STALLED_FOR_IO = 0.8;
    private static final double STALLED_FOR_MEMORY = 0.1;
    /** Below what YARN takes a disk out of use at: 0.9 by default. */
    private static final double DISK_FULL = 0.85;
    /** A step is a container, or this part of what is configured, if that is more. */
    private static final double STEP = 1 / 16.0;

    private final NodeState state;
    private final Past past;
    private final GovernorSettings settings;
    private final boolean mayLoseMore;
    private final Instant now;
    private final Size used;
    private final MemoryEstimate memory;
    private final Waiting waiting;

    Sizing(NodeState state, Past past, GovernorSettings settings, boolean mayLoseMore, Instant now) {
        this.state = state;
        this.past = past;
        this.settings = settings;
        this.mayLoseMore = mayLoseMore;
        this.now = now;
        this.used = state.used();
        this.memory = MemoryEstimate.of(state.running());
        this.waiting = Waiting.of(state.waiting());
    }

    /** Returns what is remembered after {@code decision}. */
    Past next(SizeDecision decision) {
        boolean stepped = decision.action() == Action.GROW
                || decision.action() == Action.BACK
                || (decision.action() == Action.SHRINK && decision.reason() == Reason.MEMORY);
        Past next = past.then(
                now,
                stepped ? now : past.changed(),
                isStalled() ? past.calm() : now,
                state.owes() ? past.served() : now,
                waiting.isAnybody() ? now : past.waited(),
                decision.evictions().isEmpty() ? past.evicted() : now);
        boolean trouble = decision.reason() == Reason.MEMORY_SHORT || isStalledForLong();
        return trouble && isGrown() ? next.heldOff(now) : next;
    }

    SizeDecision decide() {
        if (state.configured().isNothing()) {
            return back(Reason.NOTHING_CONFIGURED);
        }
        if (past.anew()) {
            return back(Reason.CONFIGURED_ANEW);
        }
        if (state.reportAge().isEmpty() || state.reportAge().get().compareTo(OLDEST_REPORT) > 0) {
            return back(Reason.NO_REPORT);
        }
        if (isMemoryShort()) {
            return memoryShort();
        }
        if (owesForLong()) {
            return with(evictions(), keep(Reason.MEMORY_SHORT));
        }
        if (isGrown() && isStalledForLong()) {
            return back(Reason.PRESSURE);
        }
        if (!waiting.isAnybody()) {
            return nobodyWaits();
        }
        return growth();
    }

    private boolean isGrown() {
        return !state.now().fitsIn(state.configured()) || !used.fitsIn(state.configured());
    }

    // Memory

    private double limitMb() {
        double reserved = settings.reserve() * state.configured().memoryMb();
        double most = state.configured().memoryMb();
        OptionalDouble available = state.pressure().availableMb();
        if (available.isPresent()) {
            most = Math.min(most, memory.usedMb() + Math.max(0, available.getAsDouble()));
        }
        return Math.max(0, most - reserved);
    }

    private double lastMb() {
        return LAST_PART * settings.reserve() * state.configured().memoryMb();
    }

    /** Returns whether the node itself says so. */
    private boolean isShortAsTold() {
        OptionalDouble available = state.pressure().availableMb();
        return (available.isPresent() && available.getAsDouble() < lastMb())
                || state.pressure().memory().orElse(0) > STALLED_FOR_MEMORY;
    }

    private boolean isMemoryShort() {
        return isShortAsTold()
                || (isGrown() && memory.usedMb() > state.configured().memoryMb() - lastMb());
    }

    private SizeDecision memoryShort() {
        // What the containers may use is the administrator's to say; only where the node has less nobody comes at all.
        boolean takesNobody = isShortAsTold() && used.fitsIn(state.configured()) && used.memoryMb() > 0;
        // Where nobody counts vcores what runs has none, and a node without any could not register again.
        Size full = used.vcores() > 0
                ? used
                : new Size(used.memoryMb(), state.configured().vcores());
        SizeDecision size = takesNobody ? shrink(full, Reason.MEMORY_SHORT) : back(Reason.MEMORY_SHORT);
        return with(evictions(), size);
    }

    private static SizeDecision with(List<Eviction> evictions, SizeDecision size) {
        return new SizeDecision(size.node(), size.action(), size.reason(), size.size(), size.figures(), evictions);
    }

    private boolean owesForLong() {
        return state.owes() && !now.isBefore(past.served().plus(LONGEST_DEBT));
    }

    /** Returns who has to go until the reserve is back: of those admitted by growth first who loses least. */
    private List<Eviction> evictions() {
        if (now.isBefore(past.evicted().plus(EVICTION_INTERVAL))) {
            return List.of();
        }
        double missing = memory.usedMb() - limitMb();
        List<RunningContainer> candidates = state.running().stream()
                .filter(container -> container.admittedByGrowth() && !container.master())
                .sorted(Comparator.comparingDouble(
                                (RunningContainer container) -> container.sensitivity() * seconds(container))
                        .thenComparing(RunningContainer::container))
                .toList();
        List<Eviction> evictions = new ArrayList<>();
        for (RunningContainer container : candidates) {
            if (missing <= 0 && !evictions.isEmpty()) {
                break;
            }
            evictions.add(new Eviction(container.container(), ran(container)));
            missing -= container.usedMb().orElse((double) container.requested().memoryMb());
        }
        return evictions;
    }

    private Duration ran(RunningContainer container) {
        Duration ran = Duration.between(container.started(), now);
        return ran.isNegative() ? Duration.ZERO : ran;
    }

    private double seconds(RunningContainer container) {
        return ran(container).toMillis() / 1000.0;
    }

    // Who waits

    private boolean isStalled() {
        NodePressure told = state.pressure();
        return told.cpu().orElse(0) > STALLED_FOR_CPU || told.io().orElse(0) > STALLED_FOR_IO;
    }

    private boolean isStalledForLong() {
        return isStalled() && !now.isBefore(past.calm().plus(LONGEST_STALL));
    }

    private SizeDecision nobodyWaits() {
        boolean mayStay = isGrown() && now.isBefore(past.waited().plus(LINGER));
        return mayStay ? keep(Reason.NOBODY_WAITS) : back(Reason.NOBODY_WAITS);
    }

    // Growth

    private SizeDecision growth() {
        if (!state.configured().fitsIn(state.now())) {
            // There is memory again.
            return back(Reason.CONFIGURED);
        }
        Optional<Reason> against = against();
        if (against.isPresent()) {
            // What is free of a grown node is for who surely gains, and for nobody else.
            return shrink(used.or(owed()), against.get());
        }
        Size allowed = used.plus(fitting()).or(state.configured()).and(most());
        Size kept = allowed.or(used).or(owed());
        if (isGrown() && !state.now().fitsIn(kept)) {
            return shrink(kept, Reason.MEMORY);
        }
        Size unit = waiting.unit();
        if (used.plus(unit).fitsIn(state.now())) {
            return keep(Reason.ROOM);
        }
        if (now.isBefore(past.changed().plus(settings.interval()))) {
            return keep(Reason.TOO_SOON);
        }
        Size step = state.configured().times(STEP).or(unit);
        Size target = state.now().or(used.plus(step).and(allowed));
        if (!used.plus(unit).fitsIn(target)) {
            return keep(used.plus(unit).fitsIn(most()) ? Reason.MEMORY : Reason.MOST);
        }
        return new SizeDecision(state.node(), Action.GROW, Reason.GAIN, target, figures(), List.of());
    }

    /** Returns what is configured beside what is there by growth, which takes nothing of that. */
    private Size owed() {
        Size owed = state.configured();
        for (RunningContainer container : state.running()) {
            owed = container.admittedByGrowth() ? owed.plus(container.requested()) : owed;
        }
        return owed;
    }

    /** Returns what speaks against growing at all. */
    private Optional<Reason> against() {
        if (!waiting.isAnyKnown()) {
            return Optional.of(Reason.GAIN_UNKNOWN);
        }
        if (!(waiting.atLeast() > settings.leastGain())) {
            return Optional.of(Reason.GAIN_UNSURE);
        }
        if (state.pressure().diskUsed().orElse(0) > DISK_FULL) {
            return Optional.of(Reason.DISK_FULL);
        }
        if (isStalled()) {
            return Optional.of(Reason.PRESSURE);
        }
        if (now.isBefore(past.heldOffUntil())) {
            return Optional.of(Reason.HELD_OFF);
        }
        return mayLoseMore ? Optional.empty() : Optional.of(Reason.LOSSES);
    }

    /** Returns the size of as many more as memory is enough for, if they are those that use least: placement asks of everybody who comes whether it is. */
    private Size fitting() {
        Peak newcomer = waiting.lightest(settings.leastGain());
        Size more = Size.ZERO;
        MemoryEstimate with = memory.with(newcomer);
        Size unit = waiting.unit();
        while (with.mostMb() <= limitMb()
                && !unit.equals(Size.ZERO)
                && used.plus(more).fitsIn(most())) {
            more = more.plus(unit);
            with = with.with(newcomer);
        }
        return more;
    }

    private Size most() {
        return state.configured().times(Math.max(1, settings.maxFactor()));
    }

    // What is answered

    private SizeDecision keep(Reason reason) {
        return shrink(state.now(), reason);
    }

    /** Returns that the node is to have {@code most}, or less: what it has, and what it may have. */
    private SizeDecision shrink(Size most, Reason reason) {
        Size size = most.and(state.now()).and(most());
        Action action = size.equals(state.now()) ? Action.KEEP : Action.SHRINK;
        return new SizeDecision(state.node(), action, reason, size, figures(), List.of());
    }

    private SizeDecision back(Reason reason) {
        boolean there = state.now().equals(state.configured());
        return new SizeDecision(
                state.node(), there ? Action.KEEP : Action.BACK, reason, state.configured(), figures(), List.of());
    }

    private Figures figures() {
        return new Figures(
                waiting.isAnyKnown() ? OptionalDouble.of(waiting.atLeast()) : OptionalDouble.empty(),
                waiting.isAnyKnown() ? OptionalDouble.of(waiting.atMost()) : OptionalDouble.empty(),
                memory.mostMb(),
                limitMb());
    }
}
