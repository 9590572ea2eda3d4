package org.interference.yarn.predict;

import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/** Settings of the predict stage. */
public record PredictSettings(SlowdownPredictor predictor) {
    static final ConfigKey<SlowdownPredictor> PREDICTOR = new ConfigKey<>(
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

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(PREDICTOR);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static PredictSettings from(BinaryOperator<String> lookup) {
        return new PredictSettings(PREDICTOR.read(lookup));
    }

    private static SlowdownPredictor predictor(String nameOrClass) {
        if (nameOrClass.equals(PriorPredictor.NAME)) {
            return new PriorPredictor();
        }
        if (nameOrClass.equals(ComposedPredictor.NAME)) {
            return new ComposedPredictor();
        }
        try {
            return Class.forName(nameOrClass)
                    .asSubclass(SlowdownPredictor.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
