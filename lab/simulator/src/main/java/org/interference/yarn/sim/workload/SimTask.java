package org.interference.yarn.sim.workload;

import java.time.Duration;

/**
 * One task. Immutable.
 *
 * @param kind what it presses on
 * @param solo how long it takes alone on a node, positive
 */
public record SimTask(SimTaskKind kind, Duration solo) {
    public SimTask {
        if (solo.isNegative() || solo.isZero()) {
            throw new IllegalArgumentException("run time alone must be positive, got " + solo);
        }
    }
}
