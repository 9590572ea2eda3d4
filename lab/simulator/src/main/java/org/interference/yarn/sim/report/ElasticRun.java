package org.interference.yarn.sim.report;

import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.sim.engine.RunOutcome;

/**
 * One run of {@link MeasureElastic} in numbers. Immutable.
 *
 * @param makespan {@link RunMetrics#makespan}
 * @param turnaround {@link RunMetrics#turnaroundMean}
 * @param containers running on the average of the makespan, those among them that were lost later
 * @param usedCpu share of all nodes' CPUs that was used in the makespan, from 0 to 1
 * @param lost share of all containers' run time that was lost because containers were killed, from 0 to 1
 * @param killedForMemory how often a node killed a container because it had no memory left
 * @param evicted how often the ResourceManager killed one for the same reason
 * @param starved {@link RunMetrics#starved}
 * @param failed {@link RunMetrics#failed}
 */
record ElasticRun(
        double makespan,
        double turnaround,
        double containers,
        double usedCpu,
        double lost,
        double killedForMemory,
        double evicted,
        double starved,
        double failed) {
    private static final String SEPARATOR = "\t";

    static ElasticRun of(RunOutcome outcome, int nodes) {
        RunMetrics metrics = RunMetrics.of(outcome);
        RunOutcome.Use use = outcome.use();
        double makespan = metrics.makespan();
        return new ElasticRun(
                makespan,
                metrics.turnaroundMean(),
                makespan > 0 ? outcome.busySlotSeconds() / makespan : 0,
                makespan > 0 ? use.cpuSeconds() / (nodes * makespan) : 0,
                outcome.busySlotSeconds() > 0 ? use.lostSeconds() / outcome.busySlotSeconds() : 0,
                use.killedForMemory(),
                use.evicted(),
                metrics.starved(),
                metrics.failed());
    }

    /** Returns it as a part of a line. */
    String text() {
        List<String> values = new ArrayList<>();
        for (double value :
                new double[] {makespan, turnaround, containers, usedCpu, lost, killedForMemory, evicted, starved, failed
                }) {
            values.add(Double.toString(value));
        }
        return String.join(SEPARATOR, values);
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param from the first of the fields
     */
    static ElasticRun of(String[] fields, int from) {
        double[] values = new double[9];
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.parseDouble(fields[from + i]);
        }
        return new ElasticRun(
                values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], values[8]);
    }
}
