package org.interference.yarn.it;

import java.time.Duration;

/**
 * How long tests wait for what happens within a moment on a machine that has nothing else to do: the gate must pass beside other work, and who
 * waits for long finds out only that it never happens.
 */
final class Patience {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** For daemons that start, and jobs that start processes. */
    static final Duration PATIENCE_WITH_PROCESSES = Duration.ofMinutes(5);

    private Patience() {}
}
