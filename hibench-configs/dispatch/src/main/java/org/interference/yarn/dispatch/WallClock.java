package org.interference.yarn.dispatch;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The machine's clock. Thread-safe. */
final class WallClock implements Pace {
    private final Semaphore wakes = new Semaphore(0);

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public void waitUntil(long millis) throws InterruptedException {
        if (wakes.tryAcquire(Math.max(0, millis - millis()), TimeUnit.MILLISECONDS)) {
            wakes.drainPermits();
        }
    }

    @Override
    public void wake() {
        wakes.release();
    }
}
