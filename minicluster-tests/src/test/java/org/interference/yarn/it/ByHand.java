package org.interference.yarn.it;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Has whoever tests run what is to be run every second. */
final class ByHand extends ScheduledThreadPoolExecutor {
    private Runnable everySecond = () -> {};

    ByHand() {
        super(0);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        everySecond = task;
        return null;
    }

    /** Lets a second's turn come. */
    void turn() {
        everySecond.run();
    }
}
