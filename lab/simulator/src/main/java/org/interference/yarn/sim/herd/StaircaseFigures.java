package org.interference.yarn.sim.herd;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** The published experiment with the CPU policies (5.3.2, Tables 5-1 to 5-3), repeated in simulation. Pure. */
public final class StaircaseFigures {
    private static final MathContext DIGITS = new MathContext(4);

    private StaircaseFigures() {}

    /** Returns the mean of so many scenarios, from this seed on, for each policy; gains are over nobody who moves anything, as shares of it. */
    public static ObjectNode of(long firstSeed, int seeds) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("scenarios", seeds);
        List<Staircase> scenarios = LongStream.range(firstSeed, firstSeed + seeds)
                .mapToObj(Staircase::random)
                .toList();
        List<StaircaseRun.Outcome> control = outcomes(scenarios, StaircaseRun.Policy.CONTROL);
        for (StaircaseRun.Policy policy : StaircaseRun.Policy.values()) {
            List<StaircaseRun.Outcome> outcomes = outcomes(scenarios, policy);
            ObjectNode json = root.putObject(policy.name().toLowerCase(Locale.ROOT));
            put(json, "host_cpu", mean(outcomes, StaircaseRun.Outcome::hostCpu));
            put(json, "container_cpu", mean(outcomes, StaircaseRun.Outcome::containerCpu));
            put(json, "moves", mean(outcomes, StaircaseRun.Outcome::moves));
            put(json, "host_cpu_gain", gain(outcomes, control, StaircaseRun.Outcome::hostCpu));
            put(json, "container_cpu_gain", gain(outcomes, control, StaircaseRun.Outcome::containerCpu));
        }
        return root;
    }

    private static List<StaircaseRun.Outcome> outcomes(List<Staircase> scenarios, StaircaseRun.Policy policy) {
        return scenarios.stream()
                .map(scenario -> StaircaseRun.of(scenario, policy))
                .toList();
    }

    private static double gain(
            List<StaircaseRun.Outcome> with,
            List<StaircaseRun.Outcome> without,
            ToDoubleFunction<StaircaseRun.Outcome> of) {
        return mean(with, of) / mean(without, of) - 1;
    }

    private static double mean(List<StaircaseRun.Outcome> outcomes, ToDoubleFunction<StaircaseRun.Outcome> of) {
        return outcomes.stream().mapToDouble(of).average().orElse(0);
    }

    private static void put(ObjectNode json, String name, double value) {
        json.put(name, new BigDecimal(value).round(DIGITS));
    }
}
