package org.interference.yarn.predict;

import java.util.Arrays;
import java.util.Objects;
import org.interference.yarn.degradation.DegradationTable;

/**
 * Predicts from a table of slowdown factors alone, so it works on day one and never learns. Immutable.
 *
 * <p>Formula: {@code S(t|N) = product over the resources r of 1 + u_r(t) (D_r(sum over j in N of level_r(j)) - 1)}, with {@code
 * D} the {@link DegradationTable} (Xavier, PUCRS 2019, Table 6.2; product as in equation 6.3; ADR-0005) and {@code u} the task's own
 * level over the middle of Moderate, at most 1: who uses little of a resource suffers little on it. One that the task or every
 * neighbour has no level for takes no part.
 */
public final class PriorPredictor implements SlowdownPredictor {
    /** The value of {@code yarn.interference.predict.predictor} that selects this predictor. */
    public static final String NAME = "prior";

    /** More than any node is pressed; the sum of two finite levels may not be finite. */
    private static final double HIGHEST = 1e9;

    /** By what was published. */
    public static final PriorPredictor PUBLISHED = new PriorPredictor();

    private final DegradationTable table;
    private final DegradationTable.Row[] rows;
    /** Where the level of each row is among a situation's figures. */
    private final int[] places;

    /** Predicts by what was published. */
    public PriorPredictor() {
        this(DegradationTable.PUBLISHED);
    }

    public PriorPredictor(DegradationTable table) {
        this.table = Objects.requireNonNull(table, "table is null");
        this.rows = table.rows().toArray(DegradationTable.Row[]::new);
        this.places = Arrays.stream(rows)
                .mapToInt(row -> Situation.place(row.signal()))
                .toArray();
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
        double slowdown = slowdown(situation.array(), Pressure.NONE.array());
        return Double.isNaN(slowdown)
                ? new Prediction.Unknown("none of the task's signals is in the degradation table")
                : Prediction.Slowdown.bounded(slowdown);
    }

    @Override
    public double slowdown(Situation situation, Pressure pressure) {
        return Math.min(HIGHEST, slowdown(situation.array(), pressure.array()));
    }

    /** Returns not a number if the task has no level of anything in the table. */
    private double slowdown(double[] figures, double[] added) {
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
            double whole = rows[i].factor(Math.min(HIGHEST, beside)) - 1;
            slowdown *= 1 + whole * Math.min(1, own / DegradationTable.MODERATE);
        }
        return usable ? slowdown : Double.NaN;
    }
}
