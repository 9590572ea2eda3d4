package org.interference.yarn.profile;

import java.time.Duration;
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

    /** Of a container's life so much may be over when somebody first looks at it: a tenth, or ten seconds, in which its node has not reported it yet. */
    private static final double MOST_UNSEEN = 0.1;

    private static final Duration MOST_UNSEEN_AT_ONCE = Duration.ofSeconds(10);

    /**
     * Returns whether it is known who was beside a container.
     *
     * @param unseen how much of its life was over before anybody looked, as after a fail-over of the ResourceManager
     * @param observed its life
     */
    public static boolean isSeen(Duration unseen, Duration observed) {
        return unseen.compareTo(MOST_UNSEEN_AT_ONCE) <= 0 || unseen.toMillis() <= MOST_UNSEEN * observed.toMillis();
    }

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
