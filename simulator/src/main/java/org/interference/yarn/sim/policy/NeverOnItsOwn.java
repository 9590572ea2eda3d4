package org.interference.yarn.sim.policy;

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Schedules nothing. The plugin's housekeeping counts stale nodes, writes the profile store, trains and gives up what readers already leave out, none
 * of which a placement depends on; on a thread of its own it would depend on this machine's clock.
 */
final class NeverOnItsOwn extends ScheduledThreadPoolExecutor {
    NeverOnItsOwn() {
        super(0);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        return decorateTask(task, new Never());
    }

    private static final class Never extends FutureTask<Void> implements RunnableScheduledFuture<Void> {
        Never() {
            super(() -> null);
        }

        @Override
        public boolean isPeriodic() {
            return true;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return Long.MAX_VALUE;
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
