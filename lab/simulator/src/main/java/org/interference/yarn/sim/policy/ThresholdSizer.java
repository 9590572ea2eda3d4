package org.interference.yarn.sim.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.interference.yarn.capacity.Size;

/**
 * A rule by water marks, as Yahoo's (Lowe 2016): below the lower one of used CPU and used memory a full node grows by a step, above the higher one it shrinks by one,
 * never below what is configured. It sees what every NodeManager tells, and knows nobody's profile.
 */
final class ThresholdSizer implements Sizer {
    private static final double LOW = 0.6;
    private static final double HIGH = 0.8;
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final double factor;
    private final Size step;
    private final Map<String, Instant> grew = new HashMap<>();

    /**
     * @param factor the most that a node may have over what is configured
     * @param step one container
     */
    ThresholdSizer(double factor, Size step) {
        this.factor = factor;
        this.step = step;
    }

    @Override
    public Answer answer(Seen node, Instant now) {
        ResourceUtilization told = node.node().getRMNode().getNodeUtilization();
        if (told == null) {
            return Answer.of(node.configured());
        }
        double memory = (double) told.getPhysicalMemory() / node.configured().memoryMb();
        double used = Math.max(memory, told.getCPU());
        if (used > HIGH) {
            return Answer.of(node.now().minus(step).or(node.configured()));
        }
        boolean full = !node.used().plus(step).fitsIn(node.now());
        boolean soon = now.isBefore(grew.getOrDefault(node.name(), Instant.MIN).plus(INTERVAL));
        Size more = node.now().plus(step);
        if (used < LOW && full && !soon && more.fitsIn(node.configured().times(factor))) {
            grew.put(node.name(), now);
            return Answer.of(more);
        }
        return Answer.of(node.now());
    }
}
