package org.interference.yarn.predict;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.signal.Signal;

/**
 * Predicts from a table of slowdown factors alone, so it works on day one and never learns. Immutable.
 *
 * <p>Formula: {@code S(t|N) = product over the resources r of 1 + u_r(t) (D_r(sum over j in N of level_r(j)) - 1)}, with {@code
 * D} the {@link DegradationTable} (Xavier, PUCRS 2019, Table 6.2; product over resources as in equation 6.4; ADR-0005) and {@code u} the task's own
 * level over the middle of Moderate, at most 1: who uses little of a resource suffers little on it. One that the task or every
 * neighbour has no level for takes no part.
 */
public final class PriorPredictor implements SlowdownPredictor {
    /** The value of {@code yarn.interference.predict.predictor} that selects this predictor. */
    public static final String NAME = "prior";

    /** More than any node is pressed; the sum of two finite levels may not be finite. */
    private static final double HIGHEST = 1e9;

    // Before what is made of it.
    private static final Set<Signal> OF_MEMORY = EnumSet.of(Signal.MBW, Signal.LLOCC);

    /** By what was published. */
    public static final PriorPredictor PUBLISHED = new PriorPredictor();

    private final DegradationTable table;
    private final Factors all;
    private final Factors ofMemory;

    /** Predicts by what was published. */
    public PriorPredictor() {
        this(DegradationTable.PUBLISHED);
    }

    public PriorPredictor(DegradationTable table) {
        this.table = Objects.requireNonNull(table, "table is null");
        this.all = new Factors(table.rows());
        this.ofMemory = new Factors(table.rows().stream()
                .filter(row -> OF_MEMORY.contains(row.signal()))
                .toList());
    }

    public DegradationTable table() {
        return table;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Prediction predict(Situation situation) {
        double slowdown = all.slowdown(situation.array(), Pressure.NONE.array());
        return Double.isNaN(slowdown)
                ? new Prediction.Unknown("none of the task's signals is in the degradation table")
                : Prediction.Slowdown.bounded(slowdown);
    }

    @Override
    public double slowdown(Situation situation, Pressure pressure) {
        return Math.min(HIGHEST, all.slowdown(situation.array(), pressure.array()));
    }

    /**
     * Returns what of {@link #slowdown} is due to memory bandwidth and caches alone, {@code >= 1}; 1 if the task has no level of either. Whoever
     * waits for memory is on a processor meanwhile, so that processor time does not show it.
     */
    public double byMemory(Situation situation) {
        return byMemory(situation, Pressure.NONE);
    }

    /** Returns the same with more beside the task. */
    double byMemory(Situation situation, Pressure pressure) {
        double slowdown = ofMemory.slowdown(situation.array(), pressure.array());
        return Double.isNaN(slowdown) ? 1 : Math.min(HIGHEST, slowdown);
    }

    /** Some rows of the table. Immutable. */
    private static final class Factors {
        private final DegradationTable.Row[] rows;
        /** Where the level of each row is among a situation's figures. */
        private final int[] places;

        Factors(List<DegradationTable.Row> rows) {
            this.rows = rows.toArray(DegradationTable.Row[]::new);
            this.places =
                    rows.stream().mapToInt(row -> Situation.place(row.signal())).toArray();
        }

        /** Returns not a number if the task has no level of anything in these rows. */
        double slowdown(double[] figures, double[] added) {
            boolean usable = false;
            double slowdown = 1.0;
            for (int i = 0; i < rows.length; i++) {
                double own = figures[places[i]];
                if (Double.isNaN(own)) {
                    continue;
                }
                usable = true;
                // Where nobody beside it has a level this is 0, and the factor 1.
                double beside = figures[Situation.OWN + places[i]] + added[places[i]];
                // Of no pressure at all rounding may make a last bit less than 1.
                double whole = Math.max(0, rows[i].factor(Math.min(HIGHEST, beside)) - 1);
                slowdown *= 1 + whole * Math.min(1, own / DegradationTable.MODERATE);
            }
            return usable ? slowdown : Double.NaN;
        }
    }
}
