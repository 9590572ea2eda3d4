package org.interference.yarn.sim.world;

import java.util.Arrays;
import java.util.List;

/** Nobody slows anybody down: the control, in which no policy can gain by placement. */
final class NoInterference implements GroundTruth {
    @Override
    public double[] slowdowns(List<Load> together) {
        double[] slowdowns = new double[together.size()];
        Arrays.fill(slowdowns, 1);
        return slowdowns;
    }
}
