package org.interference.yarn.sim.workload;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

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

    /** Returns what it asks of a node of another size than the one in whose shares this is; no more than all of it. */
    public SimTaskKind on(double size) {
        if (size == 1) {
            return this;
        }
        Map<SharedResource, Double> asked = new EnumMap<>(SharedResource.class);
        demand.forEach((resource, level) -> asked.put(resource, Math.min(1, level / size)));
        return new SimTaskKind(name, asked);
    }

    /** Returns what is left of it where it asks for none but {@code resources}. */
    public SimTaskKind only(Set<SharedResource> resources) {
        Map<SharedResource, Double> asked = new EnumMap<>(SharedResource.class);
        asked.putAll(demand);
        asked.keySet().retainAll(resources);
        return new SimTaskKind(name, asked);
    }

    public double demand(SharedResource resource) {
        return demand.getOrDefault(resource, 0.0);
    }
}
