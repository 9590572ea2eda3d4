package org.interference.yarn.learn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The CPU that each kind of task uses when nobody disturbs it, from runs most of which were disturbed. Bounded; not thread-safe.
 *
 * <p>The processor time that a task needs for its work hardly depends on its neighbours, so that how fast it gets on shows in how much
 * of a processor it uses, whatever its input, and neighbours only ever take from that. Where a kind ran alone, it is the mean of the
 * logarithms of those shares. Where it never did, it is the frontier of the shares (Aigner, Lovell and Schmidt, J. Econometrics 6(1),
 * 1977) in its simplest form: the second highest of the newest runs, because the highest may be a wrong measurement.
 */
public final class UndisturbedCpu {
    private final Map<String, CpuRuns> kinds;

    /** @param mostKinds kinds that are remembered; those that were seen longest ago are forgotten */
    public UndisturbedCpu(int mostKinds) {
        this.kinds = new RecentlyUsed<>(mostKinds);
    }

    /**
     * Notes a run with nobody beside it.
     *
     * @param share of the reference node's processors that it used, on average
     */
    public void addAlone(String kind, double share) {
        if (share >= Labels.LEAST_CPU) {
            kinds.put(kind, runs(kind).withAlone(share));
        }
    }

    /**
     * Notes a run with somebody beside it.
     *
     * @param share of the reference node's processors that it used, on average
     */
    public void addDisturbed(String kind, double share) {
        if (share >= Labels.LEAST_CPU) {
            kinds.put(kind, runs(kind).withDisturbed(share));
        }
    }

    private CpuRuns runs(String kind) {
        return kinds.getOrDefault(kind, CpuRuns.NONE);
    }

    /** Returns the share of an undisturbed task of {@code kind}; empty as long as too little is known. */
    public OptionalDouble of(String kind) {
        return runs(kind).undisturbed();
    }

    /** Returns all that is known, by kind. */
    Map<String, CpuRuns> kinds() {
        return new LinkedHashMap<>(kinds);
    }

    /** Goes on from what {@link #kinds} returned. */
    void restore(Map<String, CpuRuns> known) {
        kinds.putAll(known);
    }
}
