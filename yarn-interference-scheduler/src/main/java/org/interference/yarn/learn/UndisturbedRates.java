package org.interference.yarn.learn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * How fast each kind of task gets on when nobody disturbs it, by one measure, from runs most of which were disturbed. Bounded; not thread-safe.
 *
 * <p>The measure is one of {@link WorkRates}. The processor time that a task needs for its work hardly depends on its neighbours, so that how fast it gets on shows in how much
 * of a processor it uses, whatever its input, and neighbours only ever take from that. Where a kind ran alone, it is the mean of the
 * logarithms of those rates. Where it never did, or runs beside others got on far better since, it is the frontier of the rates (Aigner, Lovell and Schmidt, J. Econometrics 6(1),
 * 1977) in its simplest form: the second highest of the newest runs, because the highest may be a wrong measurement.
 */
public final class UndisturbedRates {
    /** Below this share of a node's processors nothing but noise is left; of an operation or an instruction, less than one in a quarter of an hour. */
    private static final double LEAST = 0.001;

    /** Whoever has so much of its node may have wanted more. */
    private static final double HELD = 0.9;

    private final Map<String, RateRuns> kinds;

    /** @param mostKinds kinds that are remembered; those that were seen longest ago are forgotten */
    public UndisturbedRates(int mostKinds) {
        this.kinds = new RecentlyUsed<>(mostKinds);
    }

    /**
     * The node of a run.
     *
     * @param nodeClass the same of nodes that have about as many processors and as fast disks; empty for those like the reference node
     * @param most that it gives, in the measure of the rates; infinite if nobody knows
     */
    public record Where(String nodeClass, double most) {
        /** Like the reference node, of which nobody knows how much it gives. */
        static final Where ANY = new Where("", Double.POSITIVE_INFINITY);

        private static final double ALIKE = 0.05;

        /**
         * Returns where a rate was measured.
         *
         * @param toReference from the node to the reference node
         */
        public static Where of(Scale toReference, Signal rate) {
            return new Where(
                    nodeClass(toReference), rate == Signal.CPU ? toReference.of(rate) : Double.POSITIVE_INFINITY);
        }

        /** Machines of one sort differ by a few per cent in what they say of themselves, as kernels and firmware do. */
        private static String nodeClass(Scale toReference) {
            long cpu = step(toReference.of(Signal.CPU));
            long disk = step(toReference.of(Signal.BLK));
            return cpu == 0 && disk == 0 ? "" : "cpu%+d,blk%+d".formatted(cpu, disk);
        }

        /** Returns the same of nodes that have about as fast a network, too. */
        static String nodeClassWithNetwork(Scale toReference) {
            long network = step(toReference.of(Signal.NETP));
            String others = nodeClass(toReference);
            return network == 0 ? others : others + ",netp%+d".formatted(network);
        }

        /** Returns by how many times {@value #ALIKE} a factor differs from 1. */
        private static long step(double factor) {
            return Math.round(Math.log(factor) / Math.log(1 + ALIKE));
        }

        private boolean isOther() {
            return !nodeClass.isEmpty();
        }

        private String key(String kind) {
            return kind + "@" + nodeClass;
        }
    }

    /**
     * Notes a run with nobody beside it. One that had all that its node has says only that the kind gets on so fast at least.
     *
     * @param rate on average; of CPU time, as a share of the reference node's processors
     */
    public void addAlone(String kind, double rate, Where where) {
        if (rate < LEAST) {
            return;
        }
        if (where.isOther()) {
            kinds.put(where.key(kind), runs(where.key(kind)).withAlone(rate));
        }
        boolean held = rate >= HELD * where.most() && of(kind).orElse(0) > rate;
        if (!held) {
            kinds.put(kind, runs(kind).withAlone(rate));
        }
    }

    /**
     * Notes a run with somebody beside it.
     *
     * @param rate as above
     */
    public void addDisturbed(String kind, double rate) {
        if (rate >= LEAST) {
            kinds.put(kind, runs(kind).withDisturbed(rate));
        }
    }

    private RateRuns runs(String kind) {
        return kinds.getOrDefault(kind, RateRuns.NONE);
    }

    /** Returns the rate of an undisturbed task of {@code kind}; empty as long as too little is known. */
    public OptionalDouble of(String kind) {
        return runs(kind).undisturbed();
    }

    /**
     * Returns that over {@code rate}: how much slower a task was than alone there. Where its kind ran alone on such nodes, that counts: who works on a disk
     * uses less of a processor where disks are slower. Otherwise what it uses elsewhere, as far as the node has that much. Empty if one of both is not known.
     *
     * @param rate of a task of {@code kind}; empty if nobody measured it
     */
    public OptionalDouble slowdown(String kind, OptionalDouble rate, Where where) {
        RateRuns there = where.isOther() ? runs(where.key(kind)) : RateRuns.NONE;
        OptionalDouble undisturbed = there.alone() > 0 ? there.undisturbed() : of(kind);
        return undisturbed.isPresent() && rate.isPresent() && rate.getAsDouble() >= LEAST
                ? OptionalDouble.of(Math.min(undisturbed.getAsDouble(), where.most()) / rate.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns all that is known, by kind. */
    Map<String, RateRuns> kinds() {
        return new LinkedHashMap<>(kinds);
    }

    /** Goes on from what {@link #kinds} returned. */
    void restore(Map<String, RateRuns> known) {
        kinds.putAll(known);
    }
}
