package org.interference.yarn.learn;

import java.time.Instant;
import java.util.Optional;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Scale;

/**
 * A completed container with what was last measured of it. Immutable.
 *
 * @param report empty if its node never reported it
 * @param usage empty if its node never reported it, or if so many ran that it was not kept
 * @param scale of that node, to the shares that profiles are in
 * @param node what it has, of which levels are shares
 * @param whole whether that report is of about all the time that it ran: else it does not say how long it took
 */
public record FinishedTask(
        CompletedContainer completed,
        Instant finishedAt,
        Optional<ContainerReport> report,
        Scale scale,
        Capacities node,
        Outcome outcome,
        Optional<ContainerUse> usage,
        boolean whole) {
    /** One that was observed from its beginning, on a node that does not say what it has, and of which it was not kept how its use went. */
    public FinishedTask(
            CompletedContainer completed,
            Instant finishedAt,
            Optional<ContainerReport> report,
            Scale scale,
            Outcome outcome) {
        this(completed, finishedAt, report, scale, Capacities.UNKNOWN, outcome, Optional.empty(), true);
    }

    /** Whether it went into a profile, and if not, why; also the name of the counter. */
    public enum Outcome {
        PROFILED,
        /** It never was in a report with a measured signal. */
        NEVER_MEASURED,
        /** It failed, or was killed or preempted before its work was done. */
        CUT_SHORT
    }
}
