package org.interference.yarn.plan;

import java.util.List;
import java.util.Map;

/**
 * One machine. Immutable.
 *
 * @param capacity what instances may take of it together, by the amount's name; each positive; an amount that is not named is zero
 * @param occupants what is there already and stays: as tiers, each instance once; {@link Tier#instances} is not looked at. A size may be
 *     empty, if the capacity is what they leave. A planned tier may have an affinity to an occupant, by its name, and the reverse.
 */
public record Machine(String name, Map<String, Double> capacity, List<Tier> occupants) {
    public Machine {
        Names.require("machine", name);
        capacity = Factors.copy(capacity);
        Factors.requireAmounts("machine '%s'".formatted(name), capacity);
        occupants = List.copyOf(occupants);
    }

    /** One that holds nothing yet. */
    public Machine(String name, Map<String, Double> capacity) {
        this(name, capacity, List.of());
    }
}
