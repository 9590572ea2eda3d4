package org.interference.yarn.profile;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.interference.yarn.signal.Signal;

/** Whether a task shared its node. */
public enum Company {
    /** For nine tenths of its time nobody else pressed on any resource. */
    ALONE,
    /** Somebody did. */
    CONTENDED,
    /** Nobody looked while it ran. */
    UNKNOWN;

    /** Whoever presses less than this on every resource disturbs nobody. */
    private static final double QUIET = 0.05;

    private static final List<Signal> RESOURCES = List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.CPU);

    /**
     * Returns whether neighbours are as good as none.
     *
     * @param beside what all of them press together on a resource; 0 for nothing
     */
    public static boolean isQuiet(ToDoubleFunction<Signal> beside) {
        // No stream: asked for each container of each report.
        for (Signal signal : RESOURCES) {
            if (beside.applyAsDouble(signal) >= QUIET) {
                return false;
            }
        }
        return true;
    }
}
