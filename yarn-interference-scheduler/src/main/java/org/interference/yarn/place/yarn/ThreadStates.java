package org.interference.yarn.place.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What each scheduling thread has decided last. Thread-safe. */
final class ThreadStates {
    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, ThreadState> byThread = new ConcurrentHashMap<>();

    ThreadState current() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> new ThreadState());
    }

    /** Notes that this thread begins another visit. */
    void visiting() {
        ThreadState known = byThread.get(Thread.currentThread());
        if (known != null) {
            known.visiting();
        }
    }

    void forgetTheDead() {
        byThread.keySet().removeIf(thread -> !thread.isAlive());
    }
}
