package org.interference.yarn.predict;

import java.util.List;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;

/**
 * Predicts from published tables alone, so it works on day one and never learns.
 *
 * <p>Formula: {@code S = product over resources r of D(r, min(class(t_r), class(sum of n_r)))}, with {@code t} the task's
 * level, {@code n} its neighbours' and {@code D} the {@link DegradationTable} (Xavier, PUCRS 2019, Table 6.2; product as
 * in equation 6.3). A task meets contention only on what both sides use, hence the smaller class of the two. A resource
 * that the task or every neighbour has no level for takes no part.
 */
public final class PriorPredictor implements SlowdownPredictor {
    /** The value of {@code yarn.interference.predict.predictor} that selects this predictor. */
    public static final String NAME = "prior";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Prediction predict(InterferenceVector task, List<InterferenceVector> neighbours) {
        InterferenceVector pressure = InterferenceVector.sum(neighbours);
        boolean usable = false;
        double slowdown = 1.0;
        for (DegradationTable.Row row : DegradationTable.rows()) {
            OptionalDouble own = task.level(row.signal());
            if (own.isEmpty()) {
                continue;
            }
            usable = true;
            OptionalDouble theirs = pressure.level(row.signal());
            if (theirs.isPresent()) {
                slowdown *= row.factor(
                        smaller(InterferenceClass.of(own.getAsDouble()), InterferenceClass.of(theirs.getAsDouble())));
            }
        }
        return usable
                ? new Prediction.Slowdown(slowdown)
                : new Prediction.Unknown("none of the task's signals is in the degradation table");
    }

    private static InterferenceClass smaller(InterferenceClass one, InterferenceClass other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
