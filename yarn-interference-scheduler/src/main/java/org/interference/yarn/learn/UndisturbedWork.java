package org.interference.yarn.learn;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.learn.UndisturbedRates.Where;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * How fast each kind of task gets on when nobody disturbs it, by each of {@link WorkRates#MEASURES}. Bounded; not thread-safe.
 *
 * <p>What a measure says of its own node alone is kept as if the kind was another one on each sort of nodes: faster disks move more bytes, and nobody is
 * slowed down by slower ones.
 */
public final class UndisturbedWork {
    private final Map<Signal, UndisturbedRates> rates = new EnumMap<>(Signal.class);

    /** @param mostKinds that are remembered by each measure; those that were seen longest ago are forgotten */
    public UndisturbedWork(int mostKinds) {
        WorkRates.MEASURES.forEach(measure -> rates.put(measure, new UndisturbedRates(mostKinds)));
    }

    /**
     * Notes a run.
     *
     * @param mean its levels, as shares of the reference node
     * @param toReference from its node to the reference node
     * @param alone whether nobody was beside it
     */
    public void add(String kind, InterferenceVector mean, Scale toReference, boolean alone) {
        rates.forEach((measure, known) -> WorkRates.of(measure, mean).ifPresent(rate -> {
            String name = name(kind, measure, toReference);
            if (alone) {
                known.addAlone(name, rate, where(measure, toReference));
            } else {
                known.addDisturbed(name, rate);
            }
        }));
    }

    /** Returns how much slower a run was than undisturbed by {@code measure}, as above; empty if one of both rates is not known. */
    public OptionalDouble slowdown(Signal measure, String kind, InterferenceVector mean, Scale toReference) {
        return rates.get(measure)
                .slowdown(name(kind, measure, toReference), WorkRates.of(measure, mean), where(measure, toReference));
    }

    private static String name(String kind, Signal measure, Scale toReference) {
        String sort = WorkRates.isOfItsNode(measure) ? Where.nodeClassWithNetwork(toReference) : "";
        return sort.isEmpty() ? kind : kind + "@" + sort;
    }

    private static Where where(Signal measure, Scale toReference) {
        return WorkRates.isOfItsNode(measure) ? Where.ANY : Where.of(toReference, measure);
    }

    /** Returns all that is known, by measure and kind. */
    Map<Signal, Map<String, RateRuns>> kinds() {
        Map<Signal, Map<String, RateRuns>> kinds = new EnumMap<>(Signal.class);
        rates.forEach((measure, known) -> kinds.put(measure, known.kinds()));
        return kinds;
    }

    /** Goes on from what {@link #kinds} returned. */
    void restore(Map<Signal, Map<String, RateRuns>> kinds) {
        rates.forEach((measure, known) -> known.restore(kinds.getOrDefault(measure, Map.of())));
    }
}
