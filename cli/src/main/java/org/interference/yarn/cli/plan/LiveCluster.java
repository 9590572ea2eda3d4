package org.interference.yarn.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Plan;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Tier;
import org.interference.yarn.plan.file.ServiceTier;
import org.interference.yarn.plan.file.Services;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * A running cluster, as its ResourceManager answers {@code plan-inputs}: what is free of each node, beside what runs there, which stays; what
 * was learnt of tasks; and where the containers of the application are that is moved. Immutable.
 */
final class LiveCluster {
    private static final String MEMORY = "memory-mb";
    private static final String VCORES = "vcores";
    /** Of a node whose scheduler does not count vcores. */
    private static final double NO_BOUND = Integer.MAX_VALUE;
    /** Of every container, if its tier does not say. */
    private static final double LEAST_VCORES = 1;

    private final JsonNode nodes;
    private final List<Container> containers = new ArrayList<>();
    private final Map<String, InterferenceVector> profiles = new HashMap<>();

    /** @param inputs the answer */
    LiveCluster(JsonNode inputs) {
        nodes = inputs.path("nodes");
        for (JsonNode container : inputs.path("containers")) {
            List<String> keys = new ArrayList<>();
            container.path("profiles").forEach(key -> keys.add(key.asText()));
            containers.add(new Container(
                    container.path("container").asText(), container.path("node").asText(), keys));
        }
        for (JsonNode profile : inputs.path("profiles")) {
            profiles.put(profile.path("key").asText(), load(profile.path("levels")));
        }
    }

    /**
     * One container of the application that is moved.
     *
     * @param keys that a profile of its task may be filed under
     */
    private record Container(String id, String node, List<String> keys) {
        /** Returns the tier that this is an instance of. */
        Optional<Tier> tier(Services services) {
            return services.tiers().stream()
                    .filter(tier -> tier.profile().filter(keys::contains).isPresent())
                    .map(ServiceTier::tier)
                    .findFirst();
        }
    }

    /**
     * Returns services with what was learnt of the tasks that their tiers name; what a file says of its tier counts more.
     *
     * @throws PlanException if nothing was learnt of one
     */
    Services learned(Services services) {
        return services.with(services.tiers().stream().map(this::learned).toList());
    }

    /** Returns services with the affinities that were measured, where a file does not say them. */
    Services talking(Services services, MeasuredAffinity measured) {
        Map<String, Map<String, Double>> factors = measured.factors(id -> containers.stream()
                .filter(container -> container.id().equals(id))
                .findFirst()
                .flatMap(container -> container.tier(services)));
        return services.with(services.tiers().stream()
                .map(tier -> talking(tier, factors.getOrDefault(tier.tier().name(), Map.of())))
                .toList());
    }

    private static ServiceTier talking(ServiceTier tier, Map<String, Double> measured) {
        Tier told = tier.tier();
        Map<String, Double> affinities = new HashMap<>(measured);
        affinities.putAll(told.affinities());
        return tier.with(new Tier(told.name(), told.size(), told.degradation(), affinities, told.instances()));
    }

    private ServiceTier learned(ServiceTier tier) {
        if (tier.profile().isEmpty()) {
            return tier;
        }
        Tier told = tier.tier();
        InterferenceVector load = profiles.get(tier.profile().get());
        if (load == null) {
            throw new PlanException("Tier '%s' names the profile '%s', and there is none"
                    .formatted(told.name(), tier.profile().get()));
        }
        return tier.describesDegradation()
                ? tier
                : tier.with(new Tier(told.name(), told.size(), degradation(load), told.affinities(), told.instances()));
    }

    /**
     * Returns the nodes that have something free: what the containers take that are moved is.
     *
     * @throws PlanException if there are none
     */
    List<Machine> machines(Services services) {
        Map<String, List<Container>> byNode = containers.stream().collect(Collectors.groupingBy(Container::node));
        List<Machine> machines = new ArrayList<>();
        for (JsonNode node : nodes) {
            String name = node.path("node").asText();
            double memory = node.path("free").path(MEMORY).asDouble();
            double vcores = node.path("free").path(VCORES).asDouble(NO_BOUND);
            for (Container container : byNode.getOrDefault(name, List.of())) {
                Optional<Tier> moved = container.tier(services);
                memory += moved.map(tier -> tier.size().get(MEMORY)).orElse(0.0);
                vcores += moved.map(tier -> tier.size().getOrDefault(VCORES, LEAST_VCORES))
                        .orElse(0.0);
            }
            if (memory > 0 && vcores > 0) {
                machines.add(new Machine(
                        name, Map.of(MEMORY, memory, VCORES, vcores), occupants(name, load(node.path("levels")))));
            }
        }
        if (machines.isEmpty()) {
            throw new PlanException("No node has anything free");
        }
        return machines;
    }

    private static List<Tier> occupants(String node, InterferenceVector load) {
        return load.isEmpty()
                ? List.of()
                : List.of(new Tier("what runs on " + node, Map.of(), degradation(load), Map.of(), 1));
    }

    /** Returns where everything is; empty unless all of it runs, on {@code machines}. */
    Optional<Plan> today(Services services, List<Machine> machines) {
        Set<String> names = machines.stream().map(Machine::name).collect(Collectors.toSet());
        Map<String, List<String>> places = new LinkedHashMap<>();
        for (Container container : containers) {
            container.tier(services).ifPresent(tier -> places.computeIfAbsent(tier.name(), first -> new ArrayList<>())
                    .add(container.node()));
        }
        boolean whole = services.tiers().stream().map(ServiceTier::tier).allMatch(tier -> {
            List<String> its = places.getOrDefault(tier.name(), List.of());
            return its.size() == tier.instances() && names.containsAll(its);
        });
        return whole ? Optional.of(new Plan(places)) : Optional.empty();
    }

    /** Of signals that this program does not know, as those of a newer plugin, nothing depends. */
    private static InterferenceVector load(JsonNode levels) {
        Map<Signal, Double> known = new EnumMap<>(Signal.class);
        levels.properties().forEach(level -> Signal.ofWireName(level.getKey())
                .ifPresent(signal -> known.put(signal, level.getValue().asDouble())));
        return new InterferenceVector(known);
    }

    /** Returns what a task with this load does to others that use the same resources; its use of the network is not in it. */
    private static Degradation degradation(InterferenceVector load) {
        return new Degradation(
                factor(load, Signal.CPU),
                factor(load, Signal.MBW),
                factor(load, Signal.BLK),
                factor(load, Signal.LLOCC));
    }

    /** What is measured is hardly ever 0: of a trace, which is of the class Absent, a factor above 1 would make it a use of the resource (equation 6.2). */
    private static double factor(InterferenceVector load, Signal signal) {
        boolean absent =
                load.level(signal).stream().allMatch(level -> InterferenceClass.of(level) == InterferenceClass.ABSENT);
        return absent ? 1 : DegradationTable.PUBLISHED.factor(load, signal);
    }
}
