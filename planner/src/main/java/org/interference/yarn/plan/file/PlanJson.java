package org.interference.yarn.plan.file;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.interference.yarn.degradation.Resource;
import org.interference.yarn.plan.Answer;
import org.interference.yarn.plan.Assessment;
import org.interference.yarn.plan.Assessment.MachineCost;
import org.interference.yarn.plan.Assessment.Resident;
import org.interference.yarn.plan.Term;
import org.interference.yarn.plan.Tier;

/** An answer as JSON: what the program prints with {@code --json}. */
public final class PlanJson {
    private static final double DIGITS = 1e6;
    /** In what is larger a double has no such digits. */
    private static final double LARGEST_ROUNDED = 1e9;

    private PlanJson() {}

    /**
     * Returns the document.
     *
     * @param name of the services
     */
    public static String write(String name, Answer answer) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("name", name);
        root.put("solver", answer.solver());
        root.put("degradation", "table");
        root.put("steps", answer.solution().steps());
        root.put("optimal", answer.solution().optimal());
        ArrayNode tiers = root.putArray("tiers");
        answer.problem().tiers().forEach(tier -> tiers.add(tier(tier)));
        root.set("plan", assessment(answer.plan()));
        root.set("interferenceOnly", assessment(answer.interferenceOnly()));
        root.set("affinityOnly", assessment(answer.affinityOnly()));
        answer.today().ifPresent(today -> root.set("today", assessment(today)));
        return root.toString();
    }

    private static ObjectNode tier(Tier tier) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", tier.name());
        node.put("instances", tier.instances());
        node.set("size", numbers(tier.size()));
        ObjectNode degradation = node.putObject("degradation");
        for (Resource resource : Resource.values()) {
            put(
                    degradation,
                    resource.name().toLowerCase(Locale.ROOT),
                    tier.degradation().of(resource));
        }
        node.set("affinity", numbers(tier.affinities()));
        return node;
    }

    private static ObjectNode assessment(Assessment assessment) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        // In full: how the thesis's figures are rounded depends on it.
        if (Double.isFinite(assessment.cost())) {
            node.put("cost", assessment.cost());
        } else {
            node.putNull("cost");
        }
        node.put("fits", Double.isFinite(assessment.cost()));
        ArrayNode machines = node.putArray("machines");
        assessment.machines().forEach(machine -> machines.add(machine(machine)));
        return node;
    }

    private static ObjectNode machine(MachineCost machine) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", machine.machine().name());
        put(node, "cost", machine.cost());
        node.put("fits", Double.isFinite(machine.capacityFactor()));
        put(node, "interference", machine.interference());
        put(node, "affinity", machine.affinity());
        node.set("used", numbers(machine.used()));
        node.set("capacity", numbers(machine.machine().capacity()));
        ArrayNode tiers = node.putArray("tiers");
        machine.residents().forEach(resident -> tiers.add(resident(resident)));
        node.set("interferenceTerms", terms(machine.interferenceTerms()));
        node.set("affinityTerms", terms(machine.affinityTerms()));
        return node;
    }

    private static ObjectNode resident(Resident resident) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", resident.tier());
        put(node, "slowdown", resident.slowdown());
        put(node, "affinity", resident.affinity());
        node.put("occupant", resident.occupant());
        return node;
    }

    private static ArrayNode terms(List<Term> terms) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (Term term : terms) {
            ObjectNode node = list.addObject();
            node.put("of", term.of());
            put(node, "factor", term.factor());
            ArrayNode tiers = node.putArray("tiers");
            term.tiers().forEach(tiers::add);
        }
        return list;
    }

    private static ObjectNode numbers(Map<String, Double> values) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        values.forEach((name, value) -> put(node, name, value));
        return node;
    }

    /** JSON has no infinity. */
    private static void put(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, Math.abs(value) < LARGEST_ROUNDED ? Math.round(value * DIGITS) / DIGITS : value);
        } else {
            node.putNull(name);
        }
    }
}
