package org.interference.yarn.degradation;

/**
 * How much a tier uses a resource, or talks to another tier, and the slowdown that this was published to cause.
 *
 * <p>Xavier, PUCRS 2019, Table 6.2, measured with one web application: the factors order plans, they do not forecast response times.
 * This is the only copy of the table; what predicts slowdowns of tasks takes its figures from here.
 */
public enum Level {
    ABSENT(1.00, 1.00, 1.00, 1.00, 1.00),
    LOW(1.03, 1.07, 1.12, 1.07, 1.05),
    MODERATE(1.15, 1.62, 1.82, 1.18, 1.32),
    HIGH(1.33, 1.74, 2.25, 1.26, 1.57);

    private final double cpu;
    private final double memory;
    private final double disk;
    private final double cache;
    private final double affinity;

    Level(double cpu, double memory, double disk, double cache, double affinity) {
        this.cpu = cpu;
        this.memory = memory;
        this.disk = disk;
        this.cache = cache;
        this.affinity = affinity;
    }

    /** Returns the slowdown of whoever shares {@code resource} with a tier of this level; at least 1. */
    public double degradation(Resource resource) {
        return switch (resource) {
            case CPU -> cpu;
            case MEMORY -> memory;
            case DISK -> disk;
            case CACHE -> cache;
        };
    }

    /** Returns the slowdown of a tier that talks this much to one on another machine; at least 1. */
    public double affinity() {
        return affinity;
    }
}
