package org.interference.yarn.place.yarn;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What each scheduling thread has decided last. Thread-safe. */
final class ThreadStates {
    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, ThreadState> byThread = new ConcurrentHashMap<>();

    ThreadState current() {
        return byThread.computeIfAbsent(Thread.currentThread(), thread -> new ThreadState());
    }

    /** Returns what this thread has decided last; empty if it has not decided anything. */
    Optional<ThreadState> known() {
        return Optional.ofNullable(byThread.get(Thread.currentThread()));
    }

    void forgetTheDead() {
        byThread.keySet().removeIf(thread -> !thread.isAlive());
    }
}
