package org.interference.yarn.plan.file;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;
import org.interference.yarn.plan.Copies;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Plan;
import org.interference.yarn.plan.PlanException;
import org.interference.yarn.plan.Tier;

/**
 * Reads what users write: services, machines, and where everything is today. docs/plan.md has the format. Whatever is wrong is one
 * {@link PlanException}, and nothing else comes out.
 */
public final class ServicesFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> SERVICES = Set.of("name", "machines", "tiers", "copies");
    private static final Set<String> COPIES = Set.of("memory", "network", "loopback");
    private static final Set<String> TIER =
            Set.of("name", "size", "instances", "like", "degradation", "profile", "affinity", "component");
    private static final Set<String> MACHINE = Set.of("name", "capacity", "holds");
    private static final Set<String> OCCUPANT = Set.of("name", "size", "degradation", "affinity");
    /** What a size or a capacity is called that is a mere number. */
    private static final String SIZE = "size";
    /** With more, thousands of tiers that are each like the next would take hours. */
    private static final int MOST_LIKE = 100;

    private ServicesFile() {}

    /** Reads a services file. */
    public static Services read(String json) {
        JsonNode root = object(parse(json), "The file");
        refuseUnknown(root, SERVICES, "The file");
        String name = root.has("name") ? text(root, "name", "The file") : "services";
        List<Machine> machines = root.has("machines") ? machines(root.get("machines")) : List.of();
        Map<String, JsonNode> written = new LinkedHashMap<>();
        for (JsonNode tier : list(root.path("tiers"), "tiers")) {
            String of = text(object(tier, "Each tier"), "name", "A tier");
            if (written.put(of, tier) != null) {
                throw new PlanException("There are two tiers called '%s'".formatted(of));
            }
        }
        List<ServiceTier> tiers = new ArrayList<>();
        written.forEach((of, tier) -> tiers.add(tier(of, tier, written)));
        return new Services(name, machines, tiers, copies(root.path("copies")));
    }

    /** Reads machines: a list of them, or an object whose {@code machines} is that. */
    public static List<Machine> readMachines(String json) {
        JsonNode root = parse(json);
        if (root.isObject()) {
            refuseUnknown(root, Set.of("machines"), "The file of machines");
            return machines(root.path("machines"));
        }
        return machines(root);
    }

    /** Reads where everything is: an object with a machine's name for each tier, or a list of them, one for each instance. */
    public static Plan readPlan(String json) {
        Map<String, List<String>> plan = new LinkedHashMap<>();
        object(parse(json), "The file of places").properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            List<String> machines = new ArrayList<>();
            for (JsonNode machine : value.isArray() ? value : List.of(value)) {
                if (!machine.isTextual()) {
                    throw new PlanException("The place of tier '%s' is not a machine's name, nor a list of them"
                            .formatted(shortened(entry.getKey())));
                }
                machines.add(machine.textValue());
            }
            plan.put(entry.getKey(), machines);
        });
        return new Plan(plan);
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " (line %d, column %d)"
                            .formatted(
                                    e.getLocation().getLineNr(), e.getLocation().getColumnNr());
            throw new PlanException("The file is not JSON: %s%s".formatted(oneLine(e.getOriginalMessage()), where), e);
        }
    }

    private static String oneLine(String message) {
        String line = message.lines().findFirst().orElse("").strip();
        // Where the list began that is not closed, of a source that has no name.
        int start = line.indexOf(" (start marker");
        return start < 0 ? line : line.substring(0, start);
    }

    private static ServiceTier tier(String name, JsonNode written, Map<String, JsonNode> all) {
        String what = "Tier '%s'".formatted(shortened(name));
        refuseUnknown(written, TIER, what);
        Map<String, Double> size = Map.of();
        Optional<String> profile = Optional.empty();
        Degradation degradation = Degradation.NONE;
        boolean describesDegradation = false;
        // From the most distant one that it is like, so that what is nearer wins.
        for (JsonNode each : likes(name, written, all)) {
            size = each.has("size") ? amounts(each.get("size"), what + ": size") : size;
            profile = each.has("profile") ? Optional.of(text(each, "profile", what)) : profile;
            describesDegradation |= each.has("degradation");
            degradation = degradation(each.path("degradation"), degradation, what);
        }
        if (size.isEmpty()) {
            throw new PlanException(what + " has no size");
        }
        Tier tier =
                new Tier(name, size, degradation, affinities(written.path("affinity"), what), instances(written, what));
        return new ServiceTier(tier, describesDegradation, profile, component(written.path("component"), what));
    }

    /** Returns what is written of {@code name} and of what it is like, the most distant first. */
    private static List<JsonNode> likes(String name, JsonNode written, Map<String, JsonNode> all) {
        List<JsonNode> chain = new ArrayList<>(List.of(written));
        Set<String> seen = new LinkedHashSet<>(List.of(name));
        JsonNode last = written;
        while (last.has("like")) {
            String like = text(last, "like", "Tier '%s'".formatted(shortened(name)));
            if (!all.containsKey(like)) {
                throw new PlanException("Tier '%s' is like '%s', and there is no such tier"
                        .formatted(shortened(name), shortened(like)));
            }
            if (!seen.add(like)) {
                throw new PlanException("These tiers are like each other in a circle: "
                        + String.join(
                                ", ", seen.stream().map(ServicesFile::shortened).toList()));
            }
            if (chain.size() == MOST_LIKE) {
                throw new PlanException("Tier '%s' is like more than %d others, one through the other"
                        .formatted(shortened(name), MOST_LIKE - 1));
            }
            last = all.get(like);
            chain.add(0, last);
        }
        return chain;
    }

    private static int instances(JsonNode tier, String what) {
        if (!tier.has("instances")) {
            return 1;
        }
        JsonNode instances = tier.get("instances");
        if (!instances.isIntegralNumber() || !instances.canConvertToInt()) {
            throw new PlanException(
                    "%s: instances is %s but must be a whole number".formatted(what, shortened(instances.toString())));
        }
        return instances.intValue();
    }

    private static Degradation degradation(JsonNode written, Degradation inherited, String what) {
        if (written.isMissingNode()) {
            return inherited;
        }
        Degradation degradation = inherited;
        Map<String, Resource> resources = new LinkedHashMap<>();
        for (Resource resource : Resource.values()) {
            resources.put(resource.name().toLowerCase(Locale.ROOT), resource);
        }
        refuseUnknown(object(written, what + ": degradation"), resources.keySet(), what + ": degradation");
        for (Map.Entry<String, Resource> each : resources.entrySet()) {
            if (written.has(each.getKey())) {
                String of = "%s: degradation of %s".formatted(what, each.getKey());
                JsonNode value = written.get(each.getKey());
                double factor = value.isTextual() ? level(value, of).degradation(each.getValue()) : factor(value, of);
                degradation = degradation.with(each.getValue(), factor);
            }
        }
        return degradation;
    }

    private static Copies copies(JsonNode written) {
        if (written.isMissingNode()) {
            return Copies.NONE;
        }
        refuseUnknown(object(written, "copies"), COPIES, "copies");
        return new Copies(copy(written, "memory"), copy(written, "network"), copy(written, "loopback"));
    }

    private static double copy(JsonNode written, String of) {
        String what = "copies: " + of;
        JsonNode value = written.path(of);
        if (value.isMissingNode()) {
            return 1;
        }
        return value.isTextual() ? level(value, what).degradation(Resource.CPU) : factor(value, what);
    }

    private static Map<String, Double> affinities(JsonNode written, String what) {
        Map<String, Double> affinities = new LinkedHashMap<>();
        if (!written.isMissingNode()) {
            object(written, what + ": affinity").properties().forEach(entry -> {
                String of = "%s: affinity to '%s'".formatted(what, shortened(entry.getKey()));
                JsonNode value = entry.getValue();
                affinities.put(
                        entry.getKey(), value.isTextual() ? level(value, of).affinity() : factor(value, of));
            });
        }
        return affinities;
    }

    private static Level level(JsonNode value, String what) {
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(value.textValue())) {
                return level;
            }
        }
        throw new PlanException("%s is '%s' but must be absent, low, moderate, high or a number"
                .formatted(what, shortened(value.textValue())));
    }

    private static double factor(JsonNode value, String what) {
        double factor = number(value, what);
        if (!(factor >= 1)) {
            throw new PlanException("%s is %s but must be at least 1".formatted(what, shortened(value.toString())));
        }
        return factor;
    }

    private static double number(JsonNode value, String what) {
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw new PlanException("%s is %s but must be a number".formatted(what, shortened(value.toString())));
        }
        return value.doubleValue();
    }

    private static Map<String, Double> amounts(JsonNode value, String what) {
        if (value.isObject()) {
            Map<String, Double> amounts = new LinkedHashMap<>();
            value.properties().forEach(entry -> amounts.put(entry.getKey(), amount(entry.getValue(), what)));
            if (amounts.isEmpty()) {
                throw new PlanException(what + " names no amount");
            }
            return amounts;
        }
        return Map.of(SIZE, amount(value, what));
    }

    private static double amount(JsonNode value, String what) {
        double amount = number(value, what);
        if (!(amount > 0)) {
            throw new PlanException("%s is %s but must be positive".formatted(what, shortened(value.toString())));
        }
        return amount;
    }

    private static Map<String, Object> component(JsonNode written, String what) {
        Map<String, Object> component = new LinkedHashMap<>();
        if (!written.isMissingNode()) {
            object(written, what + ": component")
                    .properties()
                    .forEach(entry -> component.put(entry.getKey(), JSON.convertValue(entry.getValue(), Object.class)));
        }
        return component;
    }

    private static List<Machine> machines(JsonNode written) {
        List<Machine> machines = new ArrayList<>();
        for (JsonNode each : list(written, "machines")) {
            String name = text(object(each, "Each machine"), "name", "A machine");
            String what = "Machine '%s'".formatted(shortened(name));
            refuseUnknown(each, MACHINE, what);
            if (!each.has("capacity")) {
                throw new PlanException(what + " has no capacity");
            }
            List<Tier> occupants = new ArrayList<>();
            if (each.has("holds")) {
                list(each.get("holds"), what + ": holds").forEach(held -> occupants.add(occupant(held, what)));
            }
            machines.add(new Machine(name, amounts(each.get("capacity"), what + ": capacity"), occupants));
        }
        return machines;
    }

    private static Tier occupant(JsonNode written, String machine) {
        String name = text(object(written, machine + ": each that it holds"), "name", machine + ": what it holds");
        String what = "%s: '%s'".formatted(machine, shortened(name));
        refuseUnknown(written, OCCUPANT, what);
        return new Tier(
                name,
                written.has("size") ? amounts(written.get("size"), what + ": size") : Map.of(),
                degradation(written.path("degradation"), Degradation.NONE, what),
                affinities(written.path("affinity"), what),
                1);
    }

    private static JsonNode object(JsonNode node, String what) {
        if (!node.isObject()) {
            throw new PlanException(what + " must be a JSON object");
        }
        return node;
    }

    private static JsonNode list(JsonNode node, String what) {
        if (!node.isArray()) {
            throw new PlanException("'%s' must be a list".formatted(what));
        }
        return node;
    }

    private static String text(JsonNode object, String key, String what) {
        JsonNode value = object.path(key);
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw new PlanException("%s has no %s that is a text".formatted(what, key));
        }
        return value.textValue();
    }

    private static void refuseUnknown(JsonNode object, Set<String> known, String what) {
        object.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw new PlanException("%s has a key '%s', which means nothing here; there are %s"
                        .formatted(
                                what,
                                shortened(key),
                                String.join(", ", known.stream().sorted().toList())));
            }
        });
    }

    /** Whatever was written, an error is a line that can be read. */
    private static String shortened(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() > 60 ? line.substring(0, 60) + "…" : line;
    }
}
