package org.interference.yarn.advice;

import java.util.EnumMap;
import java.util.OptionalDouble;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * How long tasks of a kind take, alone, on a host of another size (ADR-0059). Pure.
 *
 * <p>A bottleneck model. On the other host a task takes as long as the longest of these, each in shares of its time on the first host: what it uses of the CPUs, of the
 * disks and of the network, over what the other host has of them; and what is left of its time if it never waits for what it is limited by. CPUs that it wants are
 * on which it runs or for which it waits ({@link InterferenceVector#demand}): more of them than the first host has make it faster on one that has more. It is limited
 * by the disks or the network if it uses nine tenths of them, and by the disks, too, if it waits before the disk more than for it, as where operations are throttled.
 * Other waits, for the latency of a disk or a peer, take as long on any host, and CPUs are taken to be equally fast.
 */
public final class HostForecast {
    /** Headers and gaps take the rest. */
    private static final double FULL = 0.9;

    /** Two tasks of a kind may be unlike the others. */
    private static final int FEWEST_SAMPLES = 5;

    private HostForecast() {}

    /**
     * Returns how many times as long tasks of a kind take on such a host as on the one that profiles are shares of.
     *
     * @return above 0; empty for a kind of fewer than five samples, and where it is not known what CPUs it wants
     */
    public static OptionalDouble timeFactor(TaskProfile profile, Capacities reference, Capacities host) {
        if (profile.samples() < FEWEST_SAMPLES) {
            return OptionalDouble.empty();
        }
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        profile.signals().forEach((signal, values) -> levels.put(signal, values.mean()));
        return timeFactor(new InterferenceVector(levels), reference, host);
    }

    /** Returns whether a forecast is the same for both hosts, whatever the kind. */
    public static boolean areAlike(Capacities one, Capacities other) {
        return alike(one.cpus(), other.cpus())
                && alike(one.diskBytesPerSecond(), other.diskBytesPerSecond())
                && alike(one.networkBitsPerSecond(), other.networkBitsPerSecond());
    }

    private static boolean alike(double one, double other) {
        return Double.isNaN(one) ? Double.isNaN(other) : Capacities.areAlike(one, other);
    }

    /**
     * Returns how many times as long a task takes on the second host as on the first. What one of both hosts does not tell is taken to be equal.
     *
     * @param levels of the kind alone, as shares of the first host, of all signals that there are
     * @return above 0; empty where it is not known what CPUs the kind wants
     */
    public static OptionalDouble timeFactor(InterferenceVector levels, Capacities first, Capacities second) {
        InterferenceVector demand = levels.demand();
        double had = Double.isNaN(first.cpus()) || Double.isNaN(second.cpus()) ? 1 : first.cpus();
        double has = had * ratio(second.cpus(), first.cpus());
        double wanted = demand.levelOr(Signal.CPU, 0) * had;
        if (!(wanted > 0)) {
            return OptionalDouble.empty();
        }
        double got = Math.min(wanted, had);
        double waiting = demand.levelOr(Signal.BLKWAIT, 0);
        double disks = share(
                (demand.levelOr(Signal.READB, 0) + demand.levelOr(Signal.WRITEB, 0)) / first.diskBytesPerSecond(),
                waiting - demand.levelOr(Signal.BLK, waiting) > waiting / 2);
        double network = share(demand.levelOr(Signal.NETP, 0), false);
        // Who has several threads works and waits at once: of its time, each is as large a part as of its threads.
        double threads = Math.max(1, wanted + waiting);
        double free = wanted / threads * got / Math.min(wanted, has)
                + (disks < 1 ? waiting / threads : 0)
                + (network < 1 ? 1 - (wanted + waiting) / threads : 0);
        double used = Math.max(
                disks * ratio(first.diskBytesPerSecond(), second.diskBytesPerSecond()),
                network * ratio(first.networkBitsPerSecond(), second.networkBitsPerSecond()));
        return OptionalDouble.of(Math.max(Math.max(free, got / has), used));
    }

    /** Returns what share is used, which is all if the task is limited by it; nothing where it is not known of what. */
    private static double share(double used, boolean limited) {
        return limited || used >= FULL ? 1 : Double.isNaN(used) ? 0 : used;
    }

    private static double ratio(double one, double other) {
        return Double.isNaN(one / other) ? 1 : one / other;
    }
}
