package org.interference.yarn.capacity;

import java.time.Duration;
import java.util.concurrent.atomic.DoubleAdder;

/** How much work was lost by growing, of all that was done. Thread-safe. */
final class Losses {
    private final DoubleAdder seconds = new DoubleAdder();
    private final DoubleAdder lost = new DoubleAdder();

    /** Notes that so many containers ran for so long. */
    void ran(int containers, Duration time) {
        if (!time.isNegative()) {
            seconds.add(containers * (time.toMillis() / 1000.0));
        }
    }

    void lost(Duration time) {
        if (!time.isNegative()) {
            lost.add(time.toMillis() / 1000.0);
        }
    }

    double share() {
        double all = seconds.sum();
        return all > 0 ? Math.min(1, lost.sum() / all) : 0;
    }

    /** Returns whether no more than {@code share} was lost. */
    boolean allow(double share) {
        return share() <= share;
    }
}
