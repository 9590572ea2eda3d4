package org.interference.yarn.testbed.services;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.interference.yarn.cli.plan.LocalPlan;
import org.interference.yarn.cli.plan.PlanInputException;
import org.interference.yarn.cli.plan.Yarnfile;

/**
 * One of the cases of Xavier's thesis (PUCRS 2019, Tables 6.4 and 6.5) as a services file, and where its plans put the tiers: the planner's by what the file says of the test bed,
 * the others as the thesis has them. Immutable.
 */
final class ServiceCase {
    /** Of each plan, what is on the first machine; the other tiers are on the second. */
    private static final Map<String, Map<PlannedBy, Set<Integer>>> PLANS = Map.of(
            "case1",
            Map.of(
                    PlannedBy.BOTH, Set.of(1, 2, 4),
                    PlannedBy.INTERFERENCE, Set.of(1, 3),
                    PlannedBy.AFFINITY, Set.of(1, 2)),
            "case2",
            Map.of(
                    PlannedBy.BOTH, Set.of(1, 2),
                    PlannedBy.INTERFERENCE, Set.of(1, 2, 3),
                    PlannedBy.AFFINITY, Set.of(1, 2, 3, 4)));

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double LONGEST_SECONDS = 10;

    private final String name;
    private final String text;
    private final List<String> tiers = new ArrayList<>();
    private final Set<String> asking = new TreeSet<>();

    private ServiceCase(String name, String text) throws JsonProcessingException {
        this.name = name;
        this.text = text;
        for (JsonNode tier : JSON.readTree(text).path("tiers")) {
            tiers.add(tier.path("name").asText());
            if (tier.has("affinity")) {
                asking.add(tier.path("name").asText());
            }
        }
    }

    /**
     * Returns {@code folder}'s case of this name.
     *
     * @param command what starts a tier; its name and the rest follow
     */
    static ServiceCase read(Path folder, String name, String command) throws IOException {
        if (!PLANS.containsKey(name)) {
            throw new IllegalArgumentException(
                    "there is no case '" + name + "'; there are " + new TreeSet<>(PLANS.keySet()));
        }
        return new ServiceCase(
                name, Files.readString(folder.resolve(name + ".json")).replace("@tier@", command));
    }

    /** Returns the tiers in the file's order. */
    List<String> tiers() {
        return List.copyOf(tiers);
    }

    /** Returns the tiers that ask another one before they answer: whom the world asks. */
    Set<String> asking() {
        return asking;
    }

    /** Returns which tiers share a machine under the plan. */
    Set<Set<String>> groups(PlannedBy plan) {
        Map<String, Set<String>> groups = new TreeMap<>();
        places(plan).forEach((tier, machine) -> groups.computeIfAbsent(machine, none -> new TreeSet<>())
                .add(tier));
        return Set.copyOf(groups.values());
    }

    /** Returns each tier's machine. */
    private Map<String, String> places(PlannedBy plan) {
        Set<Integer> first = PLANS.get(name).get(plan);
        Map<String, String> places = new TreeMap<>();
        for (int i = 1; i <= tiers.size(); i++) {
            places.put(tiers.get(i - 1), first.contains(i) ? "A" : "B");
        }
        return places;
    }

    /** Returns the planner's answer, in which {@code today} is the plan asked for. */
    JsonNode answer(PlannedBy plan) throws IOException {
        try {
            String today = JSON.writeValueAsString(places(plan));
            return JSON.readTree(new LocalPlan("exact", LONGEST_SECONDS, 1, System::nanoTime)
                    .answer(text, Optional.empty(), Optional.of(today)));
        } catch (PlanInputException e) {
            throw new IOException(e);
        }
    }

    /** Returns the plan as a service that YARN places so. */
    String yarnfile(PlannedBy plan) throws IOException {
        ObjectNode answer = (ObjectNode) answer(plan);
        answer.set("plan", answer.path("today"));
        try {
            return Yarnfile.of(text, answer);
        } catch (PlanInputException e) {
            throw new IOException(e);
        }
    }
}
