package org.interference.yarn.benchmarks.prediction;

import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.Labels;
import org.interference.yarn.learn.UndisturbedRates;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * What the scheduler would take for the slowdowns of measured tasks, run after run: by the CPU that they used, since it sees neither their
 * work nor, in runs of one length, run times. Not thread-safe.
 */
final class ProductLabels {
    private static final int MOST_KINDS = 1000;

    private final UndisturbedRates undisturbed = new UndisturbedRates(MOST_KINDS);

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
        OptionalDouble rate = toReference.of(row.levels()).level(Signal.CPU);
        UndisturbedRates.Where where = UndisturbedRates.Where.of(toReference, Signal.CPU);
        Optional<Label> label = Labels.byCpuTime(undisturbed.slowdown(row.kind(), rate, where));
        rate.ifPresent(share -> {
            if (row.alone()) {
                undisturbed.addAlone(row.kind(), share, where);
            } else {
                undisturbed.addDisturbed(row.kind(), share);
            }
        });
        return label;
    }
}
