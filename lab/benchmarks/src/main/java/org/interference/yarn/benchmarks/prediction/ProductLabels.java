package org.interference.yarn.benchmarks.prediction;

import java.util.Optional;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.Labels;
import org.interference.yarn.learn.UndisturbedWork;
import org.interference.yarn.learn.WorkRates;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;

/**
 * What the scheduler would take for the slowdowns of measured tasks, run after run: by what it sees of them, which is neither their work nor, in runs of one
 * length, run times. Not thread-safe.
 */
final class ProductLabels {
    private static final int MOST_KINDS = 1000;

    private final UndisturbedWork undisturbed = new UndisturbedWork(MOST_KINDS);

    /** Returns the label of {@code row} by what was known before it; empty while that is too little. Learns from it. */
    Optional<Label> next(CorunTable.Row row) {
        return next(row, Scale.ONE);
    }

    /**
     * As above.
     *
     * @param toReference from the node where it was measured to the reference node
     */
    Optional<Label> next(CorunTable.Row row, Scale toReference) {
        InterferenceVector mean = toReference.of(row.levels());
        Optional<Label> label = Labels.byRate(
                WorkRates.ofWaiting(row.levels(), row.cpus()),
                measure -> undisturbed.slowdown(measure, row.kind(), mean, toReference));
        undisturbed.add(row.kind(), mean, toReference, row.alone());
        return label;
    }
}
