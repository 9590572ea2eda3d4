package org.interference.yarn.learn;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * By what it is measured how fast a task gets on. Pure.
 *
 * <p>The processor time that a piece of work needs says it for who is mostly on a processor. Who mostly waits needs little of it, and more or less
 * of it for the same work as interrupts and wake-ups come in batches or one by one; the bytes that it moves, and how often it hands its processor
 * over, are the same (ADR-0064, with the errors of each on measured co-runs).
 */
public final class WorkRates {
    /** Each names a rate, see {@link #of}. */
    public static final List<Signal> MEASURES =
            List.of(Signal.READB, Signal.NETP, Signal.SWITCHES, Signal.INSTR, Signal.PROGRESS, Signal.CPU);

    /** Who does so after less processor time, in seconds, does little else: a JVM without work does it fifty times a second. */
    private static final double BETWEEN_SWITCHES = 200e-6;

    private WorkRates() {}

    /**
     * Returns a task's rate: for {@link Signal#READB} all bytes that it moves to and from disks, for {@link Signal#SWITCHES} how often its threads have given
     * up a processor by themselves; for others their level. Empty if that was not measured.
     */
    public static OptionalDouble of(Signal measure, InterferenceVector mean) {
        return switch (measure) {
            case READB -> sum(mean, Signal.READB, 1, Signal.WRITEB);
            case SWITCHES -> sum(mean, Signal.SWITCHES, -1, Signal.PREEMPTED);
            default -> mean.level(measure);
        };
    }

    private static OptionalDouble sum(InterferenceVector mean, Signal first, int sign, Signal second) {
        double sum = mean.levelOr(first, Double.NaN) + sign * mean.levelOr(second, Double.NaN);
        return Double.isNaN(sum) ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, sum));
    }

    /**
     * Returns whether such a rate is compared between nodes of one sort alone: on faster disks more bytes are moved, and no level says what a node could.
     */
    static boolean isOfItsNode(Signal measure) {
        return measure == Signal.READB || measure == Signal.NETP || measure == Signal.SWITCHES;
    }

    /**
     * Returns by which of them the work of a task shows that is mostly not on a processor: bytes where its threads wait for disks or the network for longer than
     * they run, and hand-overs where these are what it does. Empty if it is mostly on a processor, or nobody knows.
     *
     * @param mean its levels, as shares of its node
     * @param cpus of which {@link Signal#CPU} is a share; not a number if nobody knows
     */
    public static Optional<Signal> ofWaiting(InterferenceVector mean, double cpus) {
        double running = mean.levelOr(Signal.CPU, Double.NaN) * cpus;
        if (Double.isNaN(running)) {
            return Optional.empty();
        }
        double disk = mean.levelOr(Signal.BLKWAIT, 0);
        double network = mean.levelOr(Signal.NETS, 0);
        if (Math.max(disk, network) > running) {
            return Optional.of(disk >= network ? Signal.READB : Signal.NETP);
        }
        double switches = of(Signal.SWITCHES, mean).orElse(0);
        return switches * BETWEEN_SWITCHES > running ? Optional.of(Signal.SWITCHES) : Optional.empty();
    }
}
