package org.interference.yarn.sim.policy;

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Schedules nothing: whoever drives the virtual time runs the plugin's housekeeping, or leaves it. It trains, looks at phases and
 * company, and gives up what readers already leave out; a placement by a model that is given depends on none of it.
 */
final class NeverOnItsOwn extends ScheduledThreadPoolExecutor {
    private final Consumer<Runnable> everySecond;

    /** @param everySecond takes what is to be run once a second */
    NeverOnItsOwn(Consumer<Runnable> everySecond) {
        super(0);
        this.everySecond = everySecond;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        everySecond.accept(task);
        return decorateTask(task, new Never());
    }

    /** At once, on the thread of whoever drives the virtual time: another one would make every run a different one. */
    @Override
    public void execute(Runnable task) {
        task.run();
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
