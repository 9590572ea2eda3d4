package org.interference.yarn.sim.workload;

import java.time.Duration;

/**
 * One task. Immutable.
 *
 * @param kind name of the {@link SimTaskKind} that says what it presses on
 * @param solo how long it takes alone on a node, positive
 */
public record SimTask(String kind, Duration solo) {
    public SimTask {
        if (solo.isNegative() || solo.isZero()) {
            throw new IllegalArgumentException("run time alone must be positive, got " + solo);
        }
    }
}
