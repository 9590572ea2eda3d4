package org.interference.yarn.learn;

import java.util.OptionalDouble;
import org.interference.yarn.signal.Capacities;

/**
 * What a container that has ended used while it ran. Immutable.
 *
 * @param series how its use went
 * @param memoryPeak the highest working set of the windows that were reported, as a share of its node's memory; empty if none was
 * @param node what its node has, of which levels are shares
 */
public record ContainerUse(UseSeries series, OptionalDouble memoryPeak, Capacities node) {}
