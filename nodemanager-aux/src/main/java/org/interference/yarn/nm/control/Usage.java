package org.interference.yarn.nm.control;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * How much a container used, in total or in a window. What is not counted is absent, never zero. Immutable.
 *
 * @param seconds how long it was observed
 */
public record Usage(double seconds, Map<Quantity, Double> amounts) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Who waits all the time waits for an unknown time; more than this share is taken for it. */
    private static final double MOST_WAIT = 0.999;

    public static final Usage NONE = new Usage(0, Map.of());

    public Usage {
        EnumMap<Quantity, Double> copy = new EnumMap<>(Quantity.class);
        copy.putAll(amounts);
        amounts = Collections.unmodifiableMap(copy);
    }

    /**
     * Returns what a report says of a container since its first sample: each signal's mean is what was used of what there was.
     *
     * @param cpuSeconds on a CPU in the same time, where that is known: of how many CPUs the signal is a fraction, its source knows alone
     */
    public static Usage of(ContainerReport report, OptionalDouble cpuSeconds) {
        double seconds = report.observed().toNanos() / NANOS_PER_SECOND;
        InterferenceVector mean = report.mean();
        EnumMap<Quantity, Double> amounts = new EnumMap<>(Quantity.class);
        cpuSeconds.ifPresent(onCpu -> {
            amounts.put(Quantity.ON_CPU, onCpu);
            double wait = Math.min(MOST_WAIT, mean.levelOr(Signal.CPUWAIT, 0));
            amounts.put(Quantity.RUN_QUEUE_WAIT, onCpu * wait / (1 - wait));
        });
        mean.level(Signal.BLKWAIT).ifPresent(level -> amounts.put(Quantity.BLOCKED, level * seconds));
        mean.level(Signal.NETP).ifPresent(level -> amounts.put(Quantity.NETWORK, level * seconds));
        mean.level(Signal.FUTEX).ifPresent(level -> amounts.put(Quantity.FUTEX_CALLS, level * seconds));
        mean.level(Signal.READB).ifPresent(level -> amounts.put(Quantity.READ_BYTES, level * seconds));
        mean.level(Signal.WRITEB).ifPresent(level -> amounts.put(Quantity.WRITTEN_BYTES, level * seconds));
        return new Usage(seconds, amounts);
    }

    public OptionalDouble amount(Quantity quantity) {
        Double amount = amounts.get(quantity);
        return amount == null ? OptionalDouble.empty() : OptionalDouble.of(amount);
    }

    /** Returns the amount; 0 where it was not counted. */
    public double amountOrNone(Quantity quantity) {
        return amounts.getOrDefault(quantity, 0.0);
    }

    /** Returns how much of {@code quantity} was used a second; 0 where it was not counted, and in an empty window. */
    public double rateOrNone(Quantity quantity) {
        return seconds > 0 ? amountOrNone(quantity) / seconds : 0;
    }

    /**
     * Returns bytes read and written; empty unless both are counted, as control groups of version 1 count the reads alone: of a writer, a sum
     * of one would say that it does nothing.
     */
    public OptionalDouble diskBytes() {
        OptionalDouble read = amount(Quantity.READ_BYTES);
        OptionalDouble written = amount(Quantity.WRITTEN_BYTES);
        return read.isPresent() && written.isPresent()
                ? OptionalDouble.of(read.getAsDouble() + written.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Returns bytes read and written a second; empty unless both are counted, and in an empty window. */
    public OptionalDouble diskRate() {
        OptionalDouble bytes = diskBytes();
        return seconds > 0 && bytes.isPresent()
                ? OptionalDouble.of(bytes.getAsDouble() / seconds)
                : OptionalDouble.empty();
    }

    /** Returns both windows as one; what only one of them counts is left out. */
    Usage plus(Usage other) {
        EnumMap<Quantity, Double> sum = new EnumMap<>(Quantity.class);
        amounts.forEach((quantity, amount) -> {
            Double more = other.amounts.get(quantity);
            if (more != null) {
                sum.put(quantity, amount + more);
            }
        });
        return new Usage(seconds + other.seconds, sum);
    }

    /**
     * Returns what was used from {@code earlier} totals to these. A count that a restarted source has begun anew gives 0: it says
     * too little rather than too much.
     */
    public Usage since(Usage earlier) {
        EnumMap<Quantity, Double> grown = new EnumMap<>(Quantity.class);
        amounts.forEach((quantity, amount) -> {
            Double before = earlier.amounts.get(quantity);
            if (before != null) {
                grown.put(quantity, Math.max(0, amount - before));
            } else if (earlier.seconds == 0) {
                grown.put(quantity, amount);
            }
        });
        return new Usage(Math.max(0, seconds - earlier.seconds), grown);
    }
}
