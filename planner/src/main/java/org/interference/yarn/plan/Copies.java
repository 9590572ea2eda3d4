package org.interference.yarn.plan;

import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;

/**
 * What moving data costs of a machine's CPU, which the thesis's cost leaves out: by which factor a tier slows down others on the CPU while it moves as much as class High of
 * Table 6.2 does. What a tier moves less or more counts in proportion to what its own factor is above 1. Immutable.
 *
 * @param memory of who moves that much through memory or the last-level cache; from 1 to 100
 * @param network of either end of an affinity whose other end is on another machine
 * @param loopback of either end of an affinity whose other end is on the same machine
 */
public record Copies(double memory, double network, double loopback) {
    /** Moving data costs no CPU, as in the thesis. */
    public static final Copies NONE = new Copies(1, 1, 1);

    public Copies {
        Factors.require("The CPU that memory takes", memory);
        Factors.require("The CPU that the network takes", network);
        Factors.require("The CPU that the loopback takes", loopback);
    }

    /**
     * Returns {@code tier} as one that uses the CPU, too, if it uses memory or cache: as much as what it moves needs, or as it says itself if
     * that is more, for what is measured of a tier's CPU has its copies in it.
     */
    public Tier applied(Tier tier) {
        Degradation told = tier.degradation();
        double moved = Math.max(shareOfHigh(told, Resource.MEMORY), shareOfHigh(told, Resource.CACHE));
        double cpu = Math.min(Factors.MOST, 1 + (memory - 1) * moved);
        return cpu <= told.cpu()
                ? tier
                : new Tier(tier.name(), tier.size(), told.with(Resource.CPU, cpu), tier.affinities(), tier.instances());
    }

    /** Returns by what factor one end of an affinity slows down others on the CPU. */
    double ofTalk(double affinity, boolean together) {
        double most = together ? loopback : network;
        return Math.min(Factors.MOST, 1 + (most - 1) * (affinity - 1) / (Level.HIGH.affinity() - 1));
    }

    private static double shareOfHigh(Degradation degradation, Resource resource) {
        return (degradation.of(resource) - 1) / (Level.HIGH.degradation(resource) - 1);
    }
}
