package org.interference.yarn.plan;

import java.util.Map;

/**
 * One tier of a service, {@code T = (I, A, S)} in the thesis. Immutable.
 *
 * @param name what affinities and plans call it; tiers of one problem have different names
 * @param size {@code S}: what one instance takes of a machine, by the amount's name; each positive
 * @param degradation {@code I}: what an instance does to its neighbours
 * @param affinities {@code A}: the tiers that it talks to, and the factor, at least 1, by which an instance is slower while none of that
 *     tier's instances is on its machine
 * @param instances how many there are to place, each on its own; at least 1
 */
public record Tier(
        String name, Map<String, Double> size, Degradation degradation, Map<String, Double> affinities, int instances) {
    /** More would be planned by nobody. */
    static final int MOST_INSTANCES = 100_000;

    public Tier {
        Names.require("tier", name);
        size = Factors.copy(size);
        affinities = Factors.copy(affinities);
        Factors.requireAmounts("tier '%s'".formatted(name), size);
        for (Map.Entry<String, Double> affinity : affinities.entrySet()) {
            Names.require("tier", affinity.getKey());
            Factors.require(
                    "The affinity of tier '%s' to '%s'".formatted(name, affinity.getKey()), affinity.getValue());
        }
        if (affinities.containsKey(name)) {
            throw new PlanException("Tier '%s' has an affinity to itself".formatted(name));
        }
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new PlanException(
                    "Tier '%s' has %d instances but must have from 1 to %d".formatted(name, instances, MOST_INSTANCES));
        }
    }
}
