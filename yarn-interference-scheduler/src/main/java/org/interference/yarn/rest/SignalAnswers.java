package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.interference.yarn.signal.Signal;

/** What is measured, as it is defined. */
final class SignalAnswers {
    private SignalAnswers() {}

    /** All signals, the most telling first. */
    static ObjectNode signals() {
        ObjectNode answer = Json.object();
        ArrayNode signals = answer.putArray("signals");
        for (Signal signal : Signal.mostTellingFirst()) {
            signals.addObject()
                    .put("name", signal.wireName())
                    .put("meaning", signal.meaning())
                    .put("unit", signal.unit())
                    .put("combination", signal.combination().name())
                    .put("rate", signal.isRate())
                    .put("predictor", signal.isPredictor());
        }
        return answer;
    }
}
