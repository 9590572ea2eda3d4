package org.interference.yarn.sim.workload;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one kind of task is, alone on a node. Immutable.
 *
 * @param demand of each resource, as a fraction of what the node has, in [0, 1]; one that is left out is 0
 */
public record SimTaskKind(String name, Map<SharedResource, Double> demand) {
    public SimTaskKind {
        EnumMap<SharedResource, Double> copy = new EnumMap<>(SharedResource.class);
        demand.forEach((resource, level) -> {
            if (!(level >= 0 && level <= 1)) {
                throw new IllegalArgumentException(
                        "demand of %s for %s must be in [0, 1], got %s".formatted(name, resource, level));
            }
            copy.put(resource, level);
        });
        demand = Collections.unmodifiableMap(copy);
    }

    public double demand(SharedResource resource) {
        return demand.getOrDefault(resource, 0.0);
    }
}
