package org.interference.yarn.learn;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The CPU that each kind of task uses when nobody disturbs it, from runs most of which were disturbed. Bounded; not thread-safe.
 *
 * <p>The processor time that a task needs for its work hardly depends on its neighbours, so that how fast it gets on shows in how much
 * of a processor it uses, whatever its input. Where a kind ran alone, the mean of the logarithms of those levels is taken. Where it never
 * did, {@code ln level = a_k - b ln P}, with {@code P} the slowdown that the prior expects: {@code b} is of all kinds together, from the
 * differences between runs of one kind, and {@code a_k} is the kind's at {@code P = 1} (the within estimator of a panel with fixed effects:
 * Wooldridge, Econometric Analysis of Cross Section and Panel Data, section 10.5). Older runs of a kind fade ({@link CpuRuns}).
 */
public final class UndisturbedCpu {
    /** Fewer runs that were disturbed are not extrapolated from. */
    static final int LEAST_RUNS = 10;

    /** Squared logarithms of the prior, by which the slope is drawn towards 0: slowdowns are told too small rather than too large. */
    private static final double DRAW = 0.1;

    private static final double STEEPEST = 4;

    private final Map<String, CpuRuns> kinds;

    /** @param mostKinds kinds that are remembered; those that were seen longest ago are forgotten */
    public UndisturbedCpu(int mostKinds) {
        this.kinds = new RecentlyUsed<>(mostKinds);
    }

    /**
     * Notes a run with nobody beside it.
     *
     * @param level the mean share of the node's processors that it used
     */
    public void addAlone(String kind, double level) {
        if (level >= Labels.LEAST_CPU) {
            kinds.put(kind, runs(kind).withAlone(Math.log(level)));
        }
    }

    /**
     * Notes a run with somebody beside it.
     *
     * @param expected the slowdown that the prior expects there, at least 1
     * @param level the mean share of the node's processors that it used
     */
    public void addDisturbed(String kind, double expected, double level) {
        if (level >= Labels.LEAST_CPU) {
            kinds.put(kind, runs(kind).withDisturbed(Math.log(expected), Math.log(level)));
        }
    }

    private CpuRuns runs(String kind) {
        return kinds.getOrDefault(kind, CpuRuns.NONE);
    }

    /** Returns all that is known, by kind. */
    Map<String, CpuRuns> kinds() {
        return new LinkedHashMap<>(kinds);
    }

    /** Goes on from what {@link #kinds} returned. */
    void restore(Map<String, CpuRuns> known) {
        kinds.putAll(known);
    }

    /** Returns the level of CPU of an undisturbed task of {@code kind}; empty as long as too little is known. */
    public OptionalDouble of(String kind) {
        CpuRuns runs = kinds.get(kind);
        if (runs == null || (runs.alone() == 0 && runs.disturbed() < LEAST_RUNS)) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                Math.exp(runs.alone() > 0 ? runs.aloneY() / runs.alone() : (runs.y() + slope() * runs.x()) / runs.count()));
    }

    private double slope() {
        double squares = 0;
        double products = 0;
        for (CpuRuns runs : kinds.values()) {
            squares += runs.squares();
            products += runs.products();
        }
        return Math.max(0, Math.min(STEEPEST, -products / (squares + DRAW)));
    }
}
