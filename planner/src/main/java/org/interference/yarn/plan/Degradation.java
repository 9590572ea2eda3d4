package org.interference.yarn.plan;

import java.util.Locale;
import org.interference.yarn.degradation.Resource;

/**
 * What a tier does to others that use the same resource of a machine: for each resource the factor by which they slow down, 1 where
 * the tier does not use it. The {@code I} of the thesis's tier {@code T = (I, A, S)}. Immutable.
 */
public record Degradation(double cpu, double memory, double disk, double cache) {
    /** A tier that nobody minds. */
    public static final Degradation NONE = new Degradation(1, 1, 1, 1);

    public Degradation {
        require(Resource.CPU, cpu);
        require(Resource.MEMORY, memory);
        require(Resource.DISK, disk);
        require(Resource.CACHE, cache);
    }

    private static void require(Resource resource, double factor) {
        Factors.require("The degradation of " + resource.name().toLowerCase(Locale.ROOT), factor);
    }

    /** Returns the factor of one resource. */
    public double of(Resource resource) {
        return switch (resource) {
            case CPU -> cpu;
            case MEMORY -> memory;
            case DISK -> disk;
            case CACHE -> cache;
        };
    }

    /** Returns it with another factor for one resource. */
    public Degradation with(Resource resource, double factor) {
        return new Degradation(
                resource == Resource.CPU ? factor : cpu,
                resource == Resource.MEMORY ? factor : memory,
                resource == Resource.DISK ? factor : disk,
                resource == Resource.CACHE ? factor : cache);
    }

    /** Returns whether the tier uses {@code resource}. */
    public boolean uses(Resource resource) {
        return of(resource) > 1;
    }
}
