package org.interference.yarn.sim.world;

import org.interference.yarn.sim.workload.SimTaskKind;

/**
 * One task on a node, as the truth sees it. Immutable.
 *
 * @param application the name of its job
 * @param progress how much of its work is done, in [0, 1]
 */
public record Load(String application, SimTaskKind kind, double progress) {}
