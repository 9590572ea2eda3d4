package org.interference.yarn.advice;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.Signal;

/**
 * Advises on the size of containers by what was seen of a kind of task. Immutable.
 *
 * <p>What is advised is the highest peak and a fifth more, but not more than what is asked for now unless tasks were ended for their memory. How likely the
 * next task needs more than {@code a} is said by ranks alone, whatever the distribution: if {@code k} of {@code n} tasks did, and the next is one like
 * them, its probability is at most {@code (k + 1) / (n + 1)}.
 */
public final class KindAdvisor {
    /** So few say nothing: the next one needs more than all of them in one of twenty cases. */
    static final int FEWEST_TASKS = 20;

    /** A fifth: of what a JVM is given, a fifth is not its heap; and between two looks at a task it may take more. */
    private static final double MARGIN = 1.2;

    private static final double MOST = 0.99;
    private static final double BYTES_OF_A_MB = 1 << 20;
    private static final double SECONDS_OF_AN_HOUR = 3600;

    private final Cluster cluster;

    /**
     * Where the tasks are to run.
     *
     * @param smallestMb memory of the smallest container; every other has a multiple of it
     * @param largestMb memory of the largest container
     * @param machineBytes how much memory machines have; empty if none tells
     * @param hasQueue whether there is a queue
     */
    public record Cluster(long smallestMb, long largestMb, Set<Double> machineBytes, Predicate<String> hasQueue) {
        public Cluster {
            machineBytes = Set.copyOf(machineBytes);
            if (smallestMb < 1) {
                throw new IllegalArgumentException("the smallest container must have >= 1 MB, got " + smallestMb);
            }
        }

        /** Returns the memory of the least container that has so much, in bytes. */
        private double size(double bytes) {
            return Math.ceil(bytes / (smallestMb * BYTES_OF_A_MB)) * (smallestMb * BYTES_OF_A_MB);
        }

        private boolean hasMachine(double bytes) {
            return machineBytes.isEmpty() || machineBytes.stream().anyMatch(here -> Capacities.areAlike(bytes, here));
        }
    }

    public KindAdvisor(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns what is to be said of a kind of task, whose key is not coarse. */
    public KindAdvice of(TaskProfile profile) {
        Footprint footprint = profile.footprint();
        boolean known = footprint.tasks() > 0;
        return new KindAdvice(
                profile.key(),
                footprint.tasks(),
                footprint.exhausted(),
                known ? Optional.of(given(footprint)) : Optional.empty(),
                known ? Optional.of(used(profile)) : Optional.empty(),
                known ? Optional.of(wasted(footprint.totals())) : Optional.empty(),
                withheld(profile)
                        .<KindAdvice.Outcome>map(KindAdvice.Withheld::new)
                        .orElseGet(() -> sizes(profile)));
    }

    private static KindAdvice.Given given(Footprint footprint) {
        return new KindAdvice.Given(mb(footprint.requestedBytes()), footprint.requestedVcores());
    }

    private static KindAdvice.Used used(TaskProfile profile) {
        Footprint footprint = profile.footprint();
        Footprint.Totals totals = footprint.totals();
        Averages disk = profile.signals().getOrDefault(Signal.DISK, Averages.NONE);
        return new KindAdvice.Used(
                // Of those alone whose CPUs are known.
                totals.requestedCores() > 0
                        ? OptionalDouble.of(totals.usedCores() / totals.requestedCores() * footprint.requestedVcores())
                        : OptionalDouble.empty(),
                mb(footprint.peakBytes()),
                mb(footprint.quantileBytes(MOST)),
                totals.seconds() > 0 ? mb(totals.working() / totals.seconds()) : 0,
                disk.count() > 0 ? OptionalDouble.of(disk.peak()) : OptionalDouble.empty());
    }

    private static KindAdvice.Wasted wasted(Footprint.Totals totals) {
        double hours = totals.seconds() / SECONDS_OF_AN_HOUR;
        return new KindAdvice.Wasted(
                unused(totals.peak(), totals.requested()) * hours,
                totals.requestedCores() > 0
                        ? OptionalDouble.of(unused(totals.usedCores(), totals.requestedCores()) * hours)
                        : OptionalDouble.empty());
    }

    private static double unused(double used, double given) {
        return given > 0 ? Math.max(0, 1 - used / given) : 0;
    }

    private Optional<KindAdvice.Reason> withheld(TaskProfile profile) {
        Footprint footprint = profile.footprint();
        if (footprint.tasks() == 0) {
            return Optional.of(KindAdvice.Reason.NOT_MEASURED);
        }
        if (profile.mixture().isPolluted()) {
            return Optional.of(KindAdvice.Reason.MIXED);
        }
        if (profile.key().queue().isPresent()
                && !cluster.hasQueue().test(profile.key().queue().get())) {
            return Optional.of(KindAdvice.Reason.QUEUE_GONE);
        }
        if (!cluster.hasMachine(footprint.machineBytes())) {
            return Optional.of(KindAdvice.Reason.OTHER_HARDWARE);
        }
        if (!(footprint.requestedBytes() > 0)) {
            return Optional.of(KindAdvice.Reason.NO_LIMIT);
        }
        if (footprint.remembered() < FEWEST_TASKS) {
            return Optional.of(KindAdvice.Reason.FEW_TASKS);
        }
        return mb(advised(footprint)) > cluster.largestMb()
                ? Optional.of(KindAdvice.Reason.TOO_LARGE)
                : Optional.empty();
    }

    private KindAdvice.Sizes sizes(TaskProfile profile) {
        Footprint footprint = profile.footprint();
        double advised = advised(footprint);
        double full = footprint.exhausted() > 0 ? advised : footprint.requestedBytes();
        FirstAllocation first = new FirstAllocation(footprint, full, cluster::size);
        return new KindAdvice.Sizes(
                size(footprint, advised),
                size(footprint, first.minimumWaste()),
                size(footprint, first.maximumThroughput()),
                1 - advised / footprint.requestedBytes(),
                FrameworkSettings.of(profile.key(), mb(advised)));
    }

    private double advised(Footprint footprint) {
        double enough = cluster.size(footprint.peakBytes() * MARGIN);
        return footprint.exhausted() > 0 ? enough : Math.min(enough, footprint.requestedBytes());
    }

    private static KindAdvice.Size size(Footprint footprint, double bytes) {
        // A peak is taken for a little higher than it was, but nobody needed more than what was always enough.
        boolean wasEnough = footprint.exhausted() == 0 && bytes >= footprint.requestedBytes();
        long above = wasEnough ? 0 : footprint.above(bytes);
        return new KindAdvice.Size(mb(bytes), (above + 1.0) / (footprint.remembered() + 1.0));
    }

    private static long mb(double bytes) {
        return (long) Math.ceil(bytes / BYTES_OF_A_MB);
    }
}
