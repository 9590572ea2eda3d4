package org.interference.yarn.benchmarks.scheduler;

import java.time.Duration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;

/** Works out demands and shares as often as a FairScheduler's own thread does, on the thread that is measured; of another scheduler nothing. */
final class FairUpdates {
    /** The default of yarn.scheduler.fair.update-interval-ms. */
    private static final long INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

    private final AbstractYarnScheduler<?, ?> scheduler;
    private long last;

    FairUpdates(AbstractYarnScheduler<?, ?> scheduler) {
        this.scheduler = scheduler;
        this.last = System.nanoTime();
    }

    void whenDue() {
        if (System.nanoTime() - last >= INTERVAL_NANOS) {
            now();
        }
    }

    void now() {
        if (scheduler instanceof FairScheduler fair) {
            fair.update();
        }
        last = System.nanoTime();
    }
}
