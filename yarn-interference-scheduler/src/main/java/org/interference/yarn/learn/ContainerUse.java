package org.interference.yarn.learn;

import java.util.OptionalDouble;

/**
 * What a container that has ended used while it ran. Immutable.
 *
 * @param series how its use went
 * @param memoryPeak the highest working set of the windows that were reported, as a share of its node's memory; empty if none was
 */
public record ContainerUse(UseSeries series, OptionalDouble memoryPeak) {}
