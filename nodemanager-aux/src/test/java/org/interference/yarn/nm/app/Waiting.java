package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, and says which threads there are when it gives up. */
final class Waiting {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private Waiting() {}

    static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NANOS) {
                fail("waited in vain for " + what + "; threads: "
                        + Thread.getAllStackTraces().keySet());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }
}
