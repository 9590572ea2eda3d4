package org.interference.yarn.sim.world;

/**
 * One cluster's truth, and what its counters show of it. Immutable.
 *
 * @param describes one sentence for the report
 */
public record World(String name, String describes, GroundTruth truth, Measurement measurement) {}
