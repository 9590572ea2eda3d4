package org.interference.yarn.sim.world;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;

/**
 * Reads a world that a user describes in JSON, with a table of slowdowns or with curves (docs/simulate.md; ADR-0052). What is not understood is
 * refused: a key that was mistyped would otherwise be a world without it.
 */
public final class WorldFile {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("name", "describes", "kinds", "slowdowns", "curves", "node_sizes", "remote_read"));
    private static final String NODE_SIZES = "node_sizes";
    private static final String REMOTE_READ = "remote_read";
    private static final String SENSITIVITY = "sensitivity";
    private static final Map<String, SharedResource> RESOURCES = Arrays.stream(SharedResource.values())
            .collect(Collectors.toMap(
                    resource -> resource.name().toLowerCase(Locale.ROOT),
                    resource -> resource,
                    (a, b) -> a,
                    LinkedHashMap::new));

    private static final String NAME = "[a-z0-9_-]{1,60}";
    private static final String NAMED = "1 to 60 of a-z, 0-9, - and _";
    private static final int MOST_KINDS = 200;
    private static final double HIGHEST = 1000;
    private static final double SMALLEST_NODE = 0.1;
    private static final double LARGEST_NODE = 10;
    private static final double NEARLY_ONE = 0.01;
    private static final double MOST_REMOTE = 10;
    private static final String BETWEEN = "\\+";

    private final JsonPart root;
    private final List<SimTaskKind> kinds = new ArrayList<>();
    private final Map<String, Map<SharedResource, Double>> sensitivities = new LinkedHashMap<>();

    private WorldFile(JsonPart root) {
        this.root = root;
    }

    /**
     * Reads a file.
     *
     * @throws WorldFileException if it cannot be read, or describes no world
     */
    public static UserWorld read(Path path) throws WorldFileException {
        String file = path.toString();
        try {
            return parse(file, Files.readString(path));
        } catch (NoSuchFileException e) {
            throw new WorldFileException(file + " is not there", e);
        } catch (IOException e) {
            throw new WorldFileException(file + " cannot be read as a text", e);
        }
    }

    /** Reads what a file that messages call {@code file} holds. */
    static UserWorld parse(String file, String text) throws WorldFileException {
        try {
            JsonNode root = MAPPER.readTree(text);
            return new WorldFile(new JsonPart(file, "", root)).world();
        } catch (JsonProcessingException e) {
            long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new WorldFileException(
                    "%s, line %d: is not JSON (%s)"
                            .formatted(
                                    file,
                                    line,
                                    e.getOriginalMessage().lines().findFirst().orElse("")),
                    e);
        }
    }

    private UserWorld world() throws WorldFileException {
        root.names(KEYS);
        String name = root.of("name").text(NAME, NAMED);
        if (Worlds.all().stream().anyMatch(world -> world.name().equals(name))) {
            throw root.of("name").refused("another name than that of a world that is built in");
        }
        String describes = root.has("describes") ? root.of("describes").text("[^\\r\\n]*", "a line of text") : "";
        readKinds();
        if (root.has("slowdowns") == root.has("curves")) {
            throw new WorldFileException(
                    "%s: one of slowdowns and curves must be there, and not both".formatted(root.file()));
        }
        GroundTruth truth = root.has("curves") ? curves() : table();
        World world = root.has(NODE_SIZES)
                ? new World(
                        name,
                        describes,
                        truth,
                        Measurement.USUAL.withNodes(),
                        Daemons.NONE,
                        nodeSizes(root.of(NODE_SIZES)))
                : new World(name, describes, truth, Measurement.USUAL);
        DataLocality locality = root.has(REMOTE_READ)
                ? new DataLocality(root.of(REMOTE_READ).number(0, MOST_REMOTE))
                : DataLocality.NONE;
        return new UserWorld(world.with(locality), kinds);
    }

    private SizePattern nodeSizes(JsonPart part) throws WorldFileException {
        if (!root.has("curves")) {
            throw new WorldFileException(
                    "%s: %s belongs to curves, and there are none: a table of slowdowns is of one size of node"
                            .formatted(root.file(), part.key()));
        }
        List<Double> sizes = new ArrayList<>();
        for (JsonPart size : part.elements()) {
            sizes.add(size.number(SMALLEST_NODE, LARGEST_NODE));
        }
        double mean = sizes.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        if (Math.abs(mean - 1) > NEARLY_ONE) {
            throw part.refused("a list of sizes that are 1 on average");
        }
        return new SizePattern(sizes);
    }

    private void readKinds() throws WorldFileException {
        if (!root.has("kinds")) {
            kinds.addAll(SimTaskKinds.all());
            return;
        }
        JsonPart all = root.of("kinds");
        List<String> names = all.names();
        if (names.isEmpty() || names.size() > MOST_KINDS) {
            throw new WorldFileException(
                    "%s: kinds has %d kinds but must have 1 to %d".formatted(root.file(), names.size(), MOST_KINDS));
        }
        for (String name : names) {
            JsonPart kind = all.of(name);
            if (!name.matches(NAME)) {
                throw new WorldFileException("%s: %s must be named by %s".formatted(root.file(), kind.key(), NAMED));
            }
            kinds.add(new SimTaskKind(name, shares(kind, 1, true)));
            if (kind.has(SENSITIVITY)) {
                if (!root.has("curves")) {
                    throw new WorldFileException("%s: %s.%s belongs to curves, and there are none"
                            .formatted(root.file(), kind.key(), SENSITIVITY));
                }
                sensitivities.put(name, shares(kind.of(SENSITIVITY), HIGHEST, false));
            }
        }
    }

    private static Map<SharedResource, Double> shares(JsonPart part, double most, boolean sensitive)
            throws WorldFileException {
        Set<String> known = new TreeSet<>(RESOURCES.keySet());
        if (sensitive) {
            known.add(SENSITIVITY);
        }
        Map<SharedResource, Double> shares = new EnumMap<>(SharedResource.class);
        for (String name : part.names(known)) {
            if (RESOURCES.containsKey(name)) {
                shares.put(RESOURCES.get(name), part.of(name).number(0, most));
            }
        }
        return shares;
    }

    private GroundTruth curves() throws WorldFileException {
        JsonPart all = root.of("curves");
        Map<SharedResource, List<PressureCurves.Point>> curves = new EnumMap<>(SharedResource.class);
        for (String resource : all.names(RESOURCES.keySet())) {
            curves.put(RESOURCES.get(resource), curve(all.of(resource)));
        }
        return new PressureCurves(curves, sensitivities);
    }

    private static List<PressureCurves.Point> curve(JsonPart part) throws WorldFileException {
        List<PressureCurves.Point> points = new ArrayList<>();
        PressureCurves.Point before = new PressureCurves.Point(0, 1);
        for (JsonPart point : part.elements()) {
            List<JsonPart> figures = point.elements();
            if (figures.size() != 2) {
                throw point.refused("a pressure and a slowdown");
            }
            PressureCurves.Point next = new PressureCurves.Point(
                    figures.get(0).number(0, HIGHEST), figures.get(1).number(1, HIGHEST));
            if (next.pressure() <= before.pressure() || next.slowdown() < before.slowdown()) {
                throw point.refused("of a higher pressure than the one before, from 0 on, and of no lower slowdown");
            }
            points.add(next);
            before = next;
        }
        if (points.isEmpty()) {
            throw part.refused("a list of one point at least");
        }
        return points;
    }

    private GroundTruth table() throws WorldFileException {
        Set<String> names = kinds.stream().map(SimTaskKind::name).collect(Collectors.toCollection(TreeSet::new));
        JsonPart all = root.of("slowdowns");
        all.names(names);
        Map<String, Map<List<String>, Double>> slowdowns = new LinkedHashMap<>();
        for (String kind : names) {
            JsonPart beside = all.of(kind);
            Map<List<String>, Double> companies = new LinkedHashMap<>();
            for (String company : beside.names()) {
                JsonPart part = beside.of(company);
                if (companies.put(neighbours(part, company, names), part.number(1, HIGHEST)) != null) {
                    throw new WorldFileException("%s: %s is there twice, the neighbours in another order"
                            .formatted(root.file(), part.key()));
                }
            }
            for (String other : names) {
                if (!companies.containsKey(List.of(other))) {
                    throw new WorldFileException(
                            "%s: %s.%s is missing: each kind must have a slowdown beside each, itself too"
                                    .formatted(root.file(), beside.key(), other));
                }
            }
            slowdowns.put(kind, companies);
        }
        return new CompanyTable(slowdowns);
    }

    private static List<String> neighbours(JsonPart part, String company, Set<String> names) throws WorldFileException {
        List<String> neighbours =
                Arrays.stream(company.split(BETWEEN, -1)).sorted().toList();
        for (String neighbour : neighbours) {
            if (!names.contains(neighbour)) {
                throw new WorldFileException("%s: %s must be kinds with + between them; there are %s"
                        .formatted(part.file(), part.key(), String.join(", ", names)));
            }
        }
        return neighbours;
    }
}
