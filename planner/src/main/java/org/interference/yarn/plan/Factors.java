package org.interference.yarn.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What numbers must be. */
final class Factors {
    /** Beyond this no slowdown was ever measured. */
    static final double MOST = 100;

    private Factors() {}

    /** Refuses what is no slowdown. */
    static void require(String what, double factor) {
        if (!(factor >= 1 && factor <= MOST)) {
            throw new PlanException("%s is %s but must be from 1 to %.0f".formatted(what, factor, MOST));
        }
    }

    /** Returns a copy that keeps its order, so that sums and products of it are always the same. */
    static Map<String, Double> copy(Map<String, Double> values) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Refuses amounts that are not positive and finite. */
    static void requireAmounts(String what, Map<String, Double> amounts) {
        amounts.forEach((name, amount) -> {
            Names.require("amount", name);
            if (!(amount > 0 && amount < Double.POSITIVE_INFINITY)) {
                throw new PlanException("%s of %s is %s but must be positive".formatted(name, what, amount));
            }
        });
    }
}
