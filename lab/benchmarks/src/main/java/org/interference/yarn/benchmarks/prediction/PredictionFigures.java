package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as they are published. */
final class PredictionFigures {
    private static final MathContext DIGITS = new MathContext(4);

    private PredictionFigures() {}

    /** Puts {@code figure} with no more digits than are known; nothing if there is none. */
    static void put(ObjectNode json, String name, double figure) {
        if (Double.isFinite(figure)) {
            json.put(name, new BigDecimal(figure).round(DIGITS));
        }
    }
}
