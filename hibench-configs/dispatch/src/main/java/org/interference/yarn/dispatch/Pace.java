package org.interference.yarn.dispatch;

/** Time, as a run needs it. */
interface Pace {
    long millis();

    /** Returns at the given time, or earlier if {@link #wake} is called. */
    void waitUntil(long millis) throws InterruptedException;

    /** Ends the wait of whoever waits; safe from every thread. */
    void wake();
}
