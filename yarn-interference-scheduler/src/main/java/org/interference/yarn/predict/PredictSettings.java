package org.interference.yarn.predict;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.degradation.DegradationTable;

/**
 * Settings of the predict stage.
 *
 * @param prior what learning begins with, whatever the predictor is
 */
public record PredictSettings(SlowdownPredictor predictor, PriorPredictor prior) {
    static final ConfigKey<Function<PriorPredictor, SlowdownPredictor>> PREDICTOR = new ConfigKey<>(
            "yarn.interference.predict.predictor",
            ComposedPredictor.NAME,
            PredictSettings::predictor,
            predictor -> true,
            "'" + PriorPredictor.NAME + "', '" + ComposedPredictor.NAME
                    + "' or a class on the class path that implements " + SlowdownPredictor.class.getName()
                    + " and has a public constructor without arguments",
            "What predicts slowdowns: '" + ComposedPredictor.NAME
                    + "' (published tables, and what is learnt from finished tasks"
                    + " where that is better), '" + PriorPredictor.NAME + "' (the tables alone) or the class name of a"
                    + " predictor of your own. Whatever it is, learning goes on, and /ws/v1/interference/model shows how"
                    + " good its answers would have been.");

    static final ConfigKey<DegradationTable> DEGRADATION = new ConfigKey<>(
            "yarn.interference.predict.degradation",
            DegradationTable.PUBLISHED_NAME,
            DegradationTable::parse,
            table -> true,
            "'" + DegradationTable.PUBLISHED_NAME
                    + "' or for each resource its signal and by what factor neighbours of class"
                    + " Low, Moderate and High slow down who uses it, from 1 up and none below the one before, as in"
                    + " 'cpu=1.03/1.15/1.33, blk=1.12/1.82/2.25'",
            "What slowdowns are predicted from before anything was learnt: published factors, or those of nodes like yours,"
                    + " which bin/measure-degradation measures in a quarter of an hour and writes in this form. A resource that"
                    + " is not named (cpu, mbw, blk, llocc, netp) keeps the published ones.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(PREDICTOR, DEGRADATION);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static PredictSettings from(BinaryOperator<String> lookup) {
        PriorPredictor prior = new PriorPredictor(DEGRADATION.read(lookup));
        return new PredictSettings(PREDICTOR.read(lookup).apply(prior), prior);
    }

    private static Function<PriorPredictor, SlowdownPredictor> predictor(String nameOrClass) {
        if (nameOrClass.equals(PriorPredictor.NAME)) {
            return prior -> prior;
        }
        if (nameOrClass.equals(ComposedPredictor.NAME)) {
            return ComposedPredictor::new;
        }
        try {
            SlowdownPredictor own = Class.forName(nameOrClass)
                    .asSubclass(SlowdownPredictor.class)
                    .getConstructor()
                    .newInstance();
            return prior -> own;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
