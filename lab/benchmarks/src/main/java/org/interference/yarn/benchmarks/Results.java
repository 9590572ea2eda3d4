package org.interference.yarn.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The figures of one part, under the names of the published file. Not thread-safe. */
public final class Results {
    /** More digits than the noise of a shared machine leaves standing. */
    private static final MathContext DIGITS = new MathContext(4);

    private final ObjectNode json;

    public Results(ObjectNode json) {
        this.json = json;
    }

    /** Returns where the figures of {@code name} are put, without those that were there. */
    public Results under(String name) {
        return new Results(json.putObject(name));
    }

    /** Returns where the figures of {@code name} are put, beside those that are there. */
    public Results beside(String name) {
        return new Results(json.withObjectProperty(name));
    }

    public void put(String name, String text) {
        json.put(name, text);
    }

    public void put(String name, long count) {
        json.put(name, count);
    }

    public void put(String name, double figure) {
        json.put(name, new BigDecimal(figure).round(DIGITS));
    }

    /** Puts what is known exactly, with so many digits behind the point; between two of them the even one. */
    public void put(String name, double figure, int decimals) {
        json.put(name, new BigDecimal(figure).setScale(decimals, RoundingMode.HALF_EVEN));
    }

    /** Puts the median under {@code name} and the spread beside it. */
    public void put(String name, Distribution figures) {
        put(name, figures.median());
        ObjectNode spread = json.putObject(name + "_spread");
        Results beside = new Results(spread);
        beside.put("min", figures.min());
        beside.put("max", figures.max());
        beside.put("repetitions", (long) figures.count());
    }
}
