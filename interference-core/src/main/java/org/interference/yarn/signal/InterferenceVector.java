package org.interference.yarn.signal;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How hard a task, a container or a node presses on each shared resource; 1.0 is the node's calibrated capacity.
 *
 * <p>A signal the host cannot measure is absent, never zero. Values above 1.0 are kept: several threads can wait at
 * once, and a low calibration must stay visible. Immutable.
 */
public record InterferenceVector(Map<Signal, Double> levels) {
    /** Nothing is known. */
    public static final InterferenceVector EMPTY = new InterferenceVector(Map.of());

    /** Of a task that hardly ever gets a CPU, how long it would take one is not known any more. */
    private static final double LEAST_GOING = 0.05;

    public InterferenceVector {
        EnumMap<Signal, Double> copy = new EnumMap<>(Signal.class);
        levels.forEach((signal, level) -> copy.put(signal, requireLevel(signal, level)));
        levels = Collections.unmodifiableMap(copy);
    }

    public OptionalDouble level(Signal signal) {
        Double level = levels.get(signal);
        return level == null ? OptionalDouble.empty() : OptionalDouble.of(level);
    }

    /**
     * Returns what is asked for rather than what was got: who wants a CPU is on one or waits for one, so that CPU time would be {@code
     * cpu / (1 - cpuwait)} if nobody else was there. Two tasks that share one CPU show half of it each, and ask for two.
     */
    public InterferenceVector demand() {
        Double cpu = levels.get(Signal.CPU);
        Double wait = levels.get(Signal.CPUWAIT);
        if (cpu == null || wait == null || wait == 0 || cpu == 0) {
            return this;
        }
        EnumMap<Signal, Double> demand = new EnumMap<>(levels);
        demand.put(Signal.CPU, cpu / Math.max(LEAST_GOING, 1 - wait));
        return new InterferenceVector(demand);
    }

    public boolean isEmpty() {
        return levels.isEmpty();
    }

    /**
     * Returns what {@code vectors} press together: signals with {@link Signal.Combination#SUM} added, the others left
     * out, because without their references they cannot be averaged. A signal absent from every vector stays absent.
     */
    public static InterferenceVector sum(Collection<InterferenceVector> vectors) {
        EnumMap<Signal, Double> sum = new EnumMap<>(Signal.class);
        for (InterferenceVector vector : vectors) {
            vector.levels.forEach((signal, level) -> {
                if (signal.combination() == Signal.Combination.SUM) {
                    sum.merge(signal, level, Double::sum);
                }
            });
        }
        return new InterferenceVector(sum);
    }

    private static double requireLevel(Signal signal, double level) {
        if (!Double.isFinite(level) || level < 0) {
            throw new IllegalArgumentException("%s level must be finite and >= 0, got %s".formatted(signal, level));
        }
        return level;
    }
}
