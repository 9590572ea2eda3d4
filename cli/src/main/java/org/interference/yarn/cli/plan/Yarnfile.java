package org.interference.yarn.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.file.ServiceTier;
import org.interference.yarn.plan.file.Services;
import org.interference.yarn.plan.file.ServicesFile;

/**
 * A plan as a service that YARN's services API runs (Hadoop 3.5.0, {@code yarn app -launch}): its placement constraints bring together
 * what the plan has together. YARN chooses the nodes; the plan's names of machines are in no constraint.
 *
 * <p>Each tier on a machine becomes a component. The first of a machine is its leader: one container that goes where no other leader is
 * (anti-affinity, which is met by whoever comes first). The others go where their leader is (affinity), and are asked for when it is
 * ready (dependency), so nothing waits for what waits for it.
 */
public final class Yarnfile {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** YARN's limit for a label of 63 that has a container's number behind it. */
    private static final int LONGEST_COMPONENT = 44;

    private static final int LONGEST_SERVICE = 63;
    private static final List<String> OURS = List.of("name", "number_of_containers", "placement_policy");

    private final Services services;
    private final Map<String, ServiceTier> tiers = new LinkedHashMap<>();
    /** Tiers, each behind those that it depends on. */
    private final List<String> order = new ArrayList<>();

    private final Set<String> names = new HashSet<>();
    private final Map<String, List<String>> componentsOf = new LinkedHashMap<>();

    private Yarnfile(Services services) {
        this.services = services;
        services.tiers().forEach(tier -> tiers.put(tier.tier().name(), tier));
    }

    /**
     * Returns the service file.
     *
     * @param servicesFile the text that was planned for
     * @param answer the plan as it was answered
     */
    public static String of(String servicesFile, JsonNode answer) throws PlanInputException {
        try {
            ObjectNode service = new Yarnfile(ServicesFile.read(servicesFile)).service(answer.path("plan"));
            DefaultPrettyPrinter printer =
                    new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
            return JSON.writer(printer).writeValueAsString(service) + "\n";
        } catch (PlanException e) {
            throw new PlanInputException(e.getMessage(), e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }

    /** One component: some containers of a tier on one machine. */
    private record Component(String name, ServiceTier tier, int containers) {}

    private ObjectNode service(JsonNode plan) {
        tiers.keySet().forEach(tier -> sort(tier, new ArrayList<>()));
        String serviceName = label(services.name(), LONGEST_SERVICE);
        names.add(serviceName);
        List<List<Component>> groups = new ArrayList<>();
        Map<String, Long> machinesOf = machinesOf(plan);
        for (JsonNode machine : plan.path("machines")) {
            List<Component> group = group(machine, machinesOf);
            if (!group.isEmpty()) {
                groups.add(group);
            }
        }
        List<String> leaders = groups.stream().map(group -> group.get(0).name()).toList();
        ObjectNode service = JSON.createObjectNode();
        service.put("name", serviceName);
        service.put("version", "1.0");
        ArrayNode components = service.putArray("components");
        for (List<Component> group : groups) {
            for (Component component : group) {
                components.add(written(component, group.get(0).name(), leaders));
            }
        }
        return service;
    }

    /** Appends {@code tier} to the order, behind what its component depends on. */
    private void sort(String tier, List<String> path) {
        if (order.contains(tier)) {
            return;
        }
        if (path.contains(tier)) {
            throw new PlanException(
                    "These tiers' components depend on each other in a circle: " + String.join(", ", path));
        }
        path.add(tier);
        for (String dependency : dependencies(tiers.get(tier))) {
            if (!tiers.containsKey(dependency)) {
                throw new PlanException("The component of tier '%s' depends on '%s', and there is no such tier"
                        .formatted(tier, dependency));
            }
            sort(dependency, path);
        }
        path.remove(tier);
        order.add(tier);
    }

    private static List<String> dependencies(ServiceTier tier) {
        List<String> dependencies = new ArrayList<>();
        if (tier.component().get("dependencies") instanceof List<?> list) {
            list.forEach(each -> dependencies.add(String.valueOf(each)));
        }
        return dependencies;
    }

    private static Map<String, Long> machinesOf(JsonNode plan) {
        Map<String, Long> machines = new LinkedHashMap<>();
        for (JsonNode machine : plan.path("machines")) {
            Set<String> here = new HashSet<>();
            machine.path("tiers").forEach(tier -> here.add(tier.path("name").asText()));
            here.forEach(tier -> machines.merge(tier, 1L, Long::sum));
        }
        return machines;
    }

    private List<Component> group(JsonNode machine, Map<String, Long> machinesOf) {
        Map<String, Integer> instances = new LinkedHashMap<>();
        for (JsonNode tier : machine.path("tiers")) {
            if (!tier.path("occupant").asBoolean()
                    && tiers.containsKey(tier.path("name").asText())) {
                instances.merge(tier.path("name").asText(), 1, Integer::sum);
            }
        }
        List<String> here = instances.keySet().stream()
                .sorted(Comparator.comparingInt(order::indexOf))
                .toList();
        List<Component> group = new ArrayList<>();
        for (String tier : here) {
            int count = instances.get(tier);
            // A second container of the leader could not be told to go where the first is.
            if (group.isEmpty() && count > 1) {
                group.add(component(tier, 1, true));
                count--;
            }
            group.add(component(tier, count, machinesOf.get(tier) > 1 || count < instances.get(tier)));
        }
        return group;
    }

    private Component component(String tier, int containers, boolean isOneOfMany) {
        String base = label(tier, LONGEST_COMPONENT - 7);
        String name = base;
        for (int number = 1; (isOneOfMany && number == 1) || names.contains(name); number++) {
            name = base + "-" + number;
        }
        names.add(name);
        componentsOf.computeIfAbsent(tier, none -> new ArrayList<>()).add(name);
        return new Component(name, tiers.get(tier), containers);
    }

    /** Returns a name as YARN wants it: {@code [a-z][a-z0-9-]*}. */
    private static String label(String name, int longest) {
        String label =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        if (label.isEmpty() || !Character.isLetter(label.charAt(0))) {
            label = "t" + label;
        }
        return label.length() > longest ? label.substring(0, longest) : label;
    }

    private ObjectNode written(Component component, String leader, List<String> leaders) {
        ObjectNode node = JSON.createObjectNode();
        node.put("name", component.name());
        node.put("number_of_containers", component.containers());
        ServiceTier tier = component.tier();
        for (String key : OURS) {
            if (tier.component().containsKey(key)) {
                throw new PlanException("The component of tier '%s' has a %s, which the plan decides"
                        .formatted(tier.tier().name(), key));
            }
        }
        tier.component().forEach((key, value) -> node.set(key, JSON.valueToTree(value)));
        if (!node.has("resource")) {
            node.set("resource", resource(tier));
        }
        boolean leads = component.name().equals(leader);
        Set<String> dependencies = new LinkedHashSet<>();
        dependencies(tier).forEach(each -> dependencies.addAll(componentsOf.getOrDefault(each, List.of())));
        if (!leads) {
            dependencies.add(leader);
        }
        if (!dependencies.isEmpty()) {
            node.set("dependencies", JSON.valueToTree(dependencies));
        }
        List<String> others =
                leaders.stream().filter(other -> !other.equals(leader)).toList();
        if (!leads) {
            constraint(node, "beside-" + leader, "AFFINITY", List.of(leader));
        } else if (!others.isEmpty()) {
            constraint(node, "a-node-of-its-own", "ANTI_AFFINITY", others);
        }
        return node;
    }

    private static void constraint(ObjectNode component, String name, String type, List<String> tags) {
        ObjectNode constraint =
                component.putObject("placement_policy").putArray("constraints").addObject();
        constraint.put("name", name);
        constraint.put("type", type);
        constraint.put("scope", "node");
        ArrayNode targets = constraint.putArray("target_tags");
        tags.forEach(targets::add);
    }

    private static ObjectNode resource(ServiceTier tier) {
        Double memory = tier.tier().size().get("memory-mb");
        Double cores = tier.tier().size().get("vcores");
        if (memory == null || cores == null) {
            throw new PlanException(
                    "YARN needs to know what tier '%s' takes: give its size as memory-mb and vcores, or its component a resource"
                            .formatted(tier.tier().name()));
        }
        return JSON.createObjectNode().put("cpus", (int) Math.ceil(cores)).put("memory", Long.toString((long)
                Math.ceil(memory)));
    }
}
