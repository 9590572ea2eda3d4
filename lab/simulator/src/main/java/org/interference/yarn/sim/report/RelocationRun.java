package org.interference.yarn.sim.report;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.interference.yarn.sim.engine.RunOutcome;
import org.interference.yarn.sim.policy.RelocationHistory;

/**
 * One run of {@link MeasureRelocation} in numbers. Immutable.
 *
 * @param makespan {@link RunMetrics#makespan}
 * @param turnaround {@link RunMetrics#turnaroundMean}
 * @param lost share of all containers' run time that was lost because they were killed, from 0 to 1
 * @param left how many containers had to leave
 * @param helped of how many of them it was measured that it helped
 * @param harmed of how many that it did not
 * @param moves how many the published policies asked for
 * @param wrong after how many of those nodes would get less done
 * @param failed {@link RunMetrics#failed}
 */
record RelocationRun(
        double makespan,
        double turnaround,
        double lost,
        double left,
        double helped,
        double harmed,
        double moves,
        double wrong,
        double failed) {
    private static final String SEPARATOR = "\t";

    static RelocationRun of(RunOutcome outcome, RelocationHistory history) {
        RunMetrics metrics = RunMetrics.of(outcome);
        return new RelocationRun(
                metrics.makespan(),
                metrics.turnaroundMean(),
                outcome.busySlotSeconds() > 0 ? outcome.use().lostSeconds() / outcome.busySlotSeconds() : 0,
                history.tally().left(),
                history.tally().helped(),
                history.tally().harmed(),
                history.moves(),
                history.wrong(),
                metrics.failed());
    }

    /** Returns it as a part of a line. */
    String text() {
        return DoubleStream.of(makespan, turnaround, lost, left, helped, harmed, moves, wrong, failed)
                .mapToObj(Double::toString)
                .collect(Collectors.joining(SEPARATOR));
    }

    /** Reads what {@link #text} wrote. */
    static RelocationRun of(String text) {
        double[] values = Arrays.stream(text.split(SEPARATOR, -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        return new RelocationRun(
                values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8]);
    }
}
