package org.interference.yarn.sim.world;

import java.time.Duration;
import java.util.Set;
import org.interference.yarn.signal.Signal;

/**
 * How well the nodes' counters tell the truth. Immutable.
 *
 * @param missing signals that no node can measure
 * @param delay how old the state is that a heartbeat describes
 * @param everyNthNodeIsStock every so many nodes one is without the plugin; 0 for none
 * @param exaggeration what levels are multiplied by before they are reported
 * @param noise standard deviation of the logarithm of each reported level
 * @param ofNodes whether nodes say what all that runs on them does together
 */
public record Measurement(
        Set<Signal> missing,
        Duration delay,
        int everyNthNodeIsStock,
        double exaggeration,
        double noise,
        boolean ofNodes) {
    /** Every signal of tasks is measured, within 5 %, and none of nodes. */
    public static final Measurement USUAL = new Measurement(Set.of(), Duration.ZERO, 0, 1, 0.05, false);

    public Measurement {
        missing = Set.copyOf(missing);
    }

    Measurement withMissing(Set<Signal> signals) {
        return new Measurement(signals, delay, everyNthNodeIsStock, exaggeration, noise, ofNodes);
    }

    Measurement withDelay(Duration age) {
        return new Measurement(missing, age, everyNthNodeIsStock, exaggeration, noise, ofNodes);
    }

    Measurement withStockNodes(int everyNth) {
        return new Measurement(missing, delay, everyNth, exaggeration, noise, ofNodes);
    }

    Measurement withExaggeration(double factor) {
        return new Measurement(missing, delay, everyNthNodeIsStock, factor, noise, ofNodes);
    }

    Measurement withNodes() {
        return new Measurement(missing, delay, everyNthNodeIsStock, exaggeration, noise, true);
    }

    /** Returns whether the node with this index has the plugin. */
    public boolean isMeasured(int node) {
        return everyNthNodeIsStock == 0 || node % everyNthNodeIsStock != 0;
    }
}
