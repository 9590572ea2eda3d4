package org.interference.yarn.sim.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A thread of the plugin's that works only while whoever gives it work waits: until it has done everything, or waits for a disk that
 * hangs. So what happens, and in which order, depends on nothing but what is asked of it. What is to happen later happens at
 * {@link #advance}.
 */
final class SteppedThread extends AbstractExecutorService implements ScheduledExecutorService {
    private static final ThreadLocal<SteppedThread> CURRENT = new ThreadLocal<>();

    private final Deque<Runnable> work = new ArrayDeque<>();
    private final List<Timed> timed = new ArrayList<>();
    private final BooleanSupplier mayWait;
    /** Null while whoever gives work does it in its name: nothing can make it wait, and threads are slow to wake. */
    private Thread thread;

    private boolean waits;
    private boolean shutdown;
    private long nanos;

    /** What is to be done at some time, and perhaps again. */
    private final class Timed extends FutureTask<Void> implements ScheduledFuture<Void> {
        private final Runnable task;
        private final long every;
        private long due;
        private boolean queued;

        Timed(Runnable task, long first, long every) {
            super(task, null);
            this.task = task;
            this.due = nanos + first;
            this.every = every;
        }

        private void step() {
            try {
                task.run();
            } finally {
                synchronized (SteppedThread.this) {
                    queued = false;
                    due = nanos + every;
                }
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /**
     * Nothing works yet.
     *
     * @param mayWait whether work that begins now may have to wait for a disk
     */
    SteppedThread(BooleanSupplier mayWait) {
        this.mayWait = mayWait;
    }

    static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    static SteppedThread current() {
        return CURRENT.get();
    }

    /** Works until there is nothing to do. */
    private void work() {
        CURRENT.set(this);
        try {
            for (Runnable next = poll(); next != null; next = poll()) {
                step(next);
            }
        } finally {
            CURRENT.remove();
        }
    }

    private synchronized Runnable poll() {
        Runnable next = work.poll();
        if (next == null && Thread.currentThread() == thread) {
            thread = null;
            notifyAll();
        }
        return next;
    }

    @SuppressWarnings("CatchThrowable") // As a thread of an executor does.
    private static void step(Runnable next) {
        try {
            next.run();
        } catch (Throwable e) {
            Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), e);
        }
    }

    /** Tells that the thread waits for a disk, or no longer does. */
    synchronized void waits(boolean now) {
        waits = now;
        notifyAll();
    }

    /** Lets it go on if it waits for {@code disk}, and returns as {@link #settle} does. */
    void goOn(FaultyDisk disk) {
        waits(false);
        disk.wake(this);
        settle();
    }

    /** Returns once everything is done that can be. */
    void settle() {
        boolean inline;
        synchronized (this) {
            inline = thread == null && !mayWait.getAsBoolean();
            if (!inline && thread == null && !work.isEmpty()) {
                thread = new Thread(this::work, "stepped");
                thread.setDaemon(true);
                thread.start();
            }
        }
        if (inline) {
            work();
        } else {
            await();
        }
    }

    private synchronized void await() {
        boolean interrupted = false;
        while (thread != null && !waits) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what is due at {@code now}, in virtual nanoseconds. */
    void advance(long now) {
        synchronized (this) {
            nanos = now;
            timed.removeIf(FutureTask::isCancelled);
            for (Timed one : timed) {
                if (!one.queued && one.due <= now && !shutdown) {
                    one.queued = true;
                    work.add(one.every > 0 ? one::step : one);
                }
            }
            timed.removeIf(one -> one.queued && one.every == 0);
        }
        settle();
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            if (shutdown) {
                throw new RejectedExecutionException("has been shut down");
            }
            work.add(task);
        }
        if (!isCurrent()) {
            settle();
        }
    }

    @Override
    public synchronized ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return add(new Timed(task, unit.toNanos(delay), 0));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("nobody asks for a value later");
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(task, first, period, unit);
    }

    @Override
    public synchronized ScheduledFuture<?> scheduleWithFixedDelay(
            Runnable task, long first, long delay, TimeUnit unit) {
        return add(new Timed(task, unit.toNanos(first), unit.toNanos(delay)));
    }

    private Timed add(Timed one) {
        if (shutdown) {
            throw new RejectedExecutionException("has been shut down");
        }
        timed.add(one);
        return one;
    }

    @Override
    public synchronized void shutdown() {
        shutdown = true;
        timed.clear();
    }

    /** Returns once it has given up what it waits for. */
    @Override
    public synchronized List<Runnable> shutdownNow() {
        shutdown();
        List<Runnable> never = new ArrayList<>(work);
        work.clear();
        if (thread != null) {
            waits = false;
            thread.interrupt();
            if (!isCurrent()) {
                await();
            }
        }
        return never;
    }

    @Override
    public synchronized boolean isShutdown() {
        return shutdown;
    }

    @Override
    public synchronized boolean isTerminated() {
        return shutdown && thread == null && work.isEmpty();
    }

    /** Waits in virtual time: returns at once if the thread waits for a disk. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        settle();
        return isTerminated();
    }
}
