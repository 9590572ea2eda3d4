package org.interference.yarn.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.plan.Tier;
import org.interference.yarn.signal.Signal;

/**
 * How much tiers that run talk to each other, as their ResourceManager answers {@code traffic}. Immutable.
 *
 * <p>An affinity's level is what an instance exchanges with the other tier as a share of what a machine's network carries, both directions of the first against one of the
 * second (Xavier, PUCRS 2019, 4.2), and its factor what the thesis has for that level (Tables 6.1 and 6.2), linear between the middles of classes.
 *
 * @param traffic the answer
 * @param bitsPerSecond that the network of a machine carries, {@code > 0}
 */
public record MeasuredAffinity(JsonNode traffic, double bitsPerSecond) {
    /** None below this: it is within the class Absent, and would only make plans slower to find. */
    private static final double LEAST_FACTOR = 1.005;

    private static final DegradationTable.Row AFFINITY = new DegradationTable.Row(
            Signal.NETP, Level.LOW.affinity(), Level.MODERATE.affinity(), Level.HIGH.affinity());

    /** Says why there is nothing that is measured; empty where there is. */
    public Optional<String> reason() {
        return Optional.of(traffic.path("reason").asText()).filter(reason -> !reason.isEmpty());
    }

    /**
     * Returns the factor of each tier for each other tier that it talks to.
     *
     * @param tiers of which tier a container is an instance, by container id
     */
    Map<String, Map<String, Double>> factors(Function<String, Optional<Tier>> tiers) {
        Map<String, Map<String, Double>> bytes = new HashMap<>();
        Map<String, Tier> known = new HashMap<>();
        for (JsonNode talk : traffic.path("traffic")) {
            Optional<Tier> tier =
                    tiers.apply(talk.path("container").path("container").asText());
            Optional<Tier> other =
                    tiers.apply(talk.path("other").path("container").asText());
            if (tier.isPresent()
                    && other.isPresent()
                    && !tier.get().name().equals(other.get().name())) {
                double both = talk.path("sentPerSecond").asDouble()
                        + talk.path("receivedPerSecond").asDouble();
                add(bytes, tier.get(), other.get(), both);
                add(bytes, other.get(), tier.get(), both);
                known.put(tier.get().name(), tier.get());
                known.put(other.get().name(), other.get());
            }
        }
        Map<String, Map<String, Double>> factors = new HashMap<>();
        bytes.forEach((name, others) -> {
            Map<String, Double> its = new HashMap<>();
            others.forEach((other, both) -> {
                double factor =
                        AFFINITY.factor(Byte.SIZE * both / known.get(name).instances() / bitsPerSecond);
                if (factor >= LEAST_FACTOR) {
                    its.put(other, factor);
                }
            });
            factors.put(name, its);
        });
        return factors;
    }

    private static void add(Map<String, Map<String, Double>> bytes, Tier tier, Tier other, double both) {
        bytes.computeIfAbsent(tier.name(), first -> new HashMap<>()).merge(other.name(), both, Double::sum);
    }
}
