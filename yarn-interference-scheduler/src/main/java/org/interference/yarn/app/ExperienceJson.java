package org.interference.yarn.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.Experience.Kept;
import org.interference.yarn.learn.Experience.Samples;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.RateRuns;
import org.interference.yarn.learn.RunTimesAlone;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.signal.Signal;

/**
 * An experience as lines of JSON: a header with the schema of the figures, and one line for each observation and for what is known of each
 * kind of task. A line that is damaged is left out; what was written with another schema is refused. Pure.
 */
final class ExperienceJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FORMAT = 1;
    /** An observation says that it is one by saying of what. */
    private static final String OBSERVATION = "part";

    private static final String ALONE = "alone";
    private static final String UNDISTURBED = "undisturbed";
    /** Absent in what was written when CPU time was all that was known. */
    private static final String RATE = "rate";

    /** Of figures that earlier releases do not have. */
    private static final List<String> PARTS =
            Situation.NAMES.subList(Situation.WITHOUT_PARTS.size(), Situation.NAMES.size());

    private ExperienceJson() {}

    private enum Part {
        RECENT,
        RESERVOIR,
        HELD_OUT
    }

    /** @param damaged lines that were left out, or are missing */
    record Read(Experience experience, long damaged) {}

    static String write(Experience experience) {
        Samples samples = experience.samples();
        List<ObjectNode> lines = new ArrayList<>();
        samples.recent().forEach(kept -> lines.add(line(Part.RECENT, kept)));
        samples.reservoir().forEach(kept -> lines.add(line(Part.RESERVOIR, kept)));
        samples.heldOut().forEach(kept -> lines.add(line(Part.HELD_OUT, kept)));
        experience
                .alone()
                .forEach((kind, times) -> lines.add(JSON.createObjectNode()
                        .put(ALONE, kind)
                        .put("runs", times.runs())
                        .put("mean", times.mean())
                        .put("squares", times.squares())));
        experience
                .undisturbed()
                .forEach((rate, kinds) -> kinds.forEach((kind, runs) -> lines.add(JSON.createObjectNode()
                        .put(UNDISTURBED, kind)
                        .put(RATE, rate.wireName())
                        .put("count", runs.alone())
                        .put("logs", runs.aloneLogs())
                        .set("disturbed", JSON.valueToTree(runs.disturbed())))));
        ObjectNode header = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("lines", lines.size())
                .put("total", samples.total())
                .put("left", samples.left())
                .put("drifts", samples.drifts())
                .put("totalAtDrift", samples.totalAtDrift());
        header.set("figures", JSON.valueToTree(Situation.WITHOUT_PARTS));
        header.set("parts", JSON.valueToTree(PARTS));
        StringBuilder text = new StringBuilder();
        text.append(header).append('\n');
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static ObjectNode line(Part part, Kept kept) {
        Observation observation = kept.observation();
        Label label = observation.label();
        ObjectNode line = JSON.createObjectNode()
                .put(OBSERVATION, part.name().toLowerCase(Locale.ROOT))
                .put("at", observation.at().toString())
                .put("kind", observation.kind())
                .put("slowdown", label.slowdown())
                .put("source", label.source().name().toLowerCase(Locale.ROOT))
                .put("weight", label.weight())
                .put("drifts", kept.drifts());
        // Earlier releases read the figures that they know.
        double[] figures = observation.situation().figures().toArray();
        int whole = Situation.WITHOUT_PARTS.size();
        ModelJson.put(line.putArray("figures"), Arrays.copyOf(figures, whole));
        ModelJson.put(line.putArray("parts"), Arrays.copyOfRange(figures, whole, figures.length));
        return line;
    }

    /** @throws IllegalArgumentException if the first line is not a header of this schema */
    static Read read(Stream<String> text) {
        Iterator<String> lines = text.iterator();
        JsonNode header = lines.hasNext() ? parsed(lines.next()) : JSON.missingNode();
        ModelJson.requireFormat(header, FORMAT);
        ModelJson.requireSchema(header, "figures", Situation.WITHOUT_PARTS);
        if (header.has("parts")) {
            ModelJson.requireSchema(header, "parts", PARTS);
        }
        Map<Part, List<Kept>> parts = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            parts.put(part, new ArrayList<>());
        }
        Map<String, RunTimesAlone> alone = new LinkedHashMap<>();
        Map<Signal, Map<String, RateRuns>> undisturbed = new EnumMap<>(Signal.class);
        long whole = 0;
        while (lines.hasNext()) {
            whole += takes(lines.next(), parts, alone, undisturbed) ? 1 : 0;
        }
        Samples samples = new Samples(
                parts.get(Part.RECENT),
                parts.get(Part.RESERVOIR),
                parts.get(Part.HELD_OUT),
                integer(header, "total"),
                integer(header, "left"),
                drifts(header),
                integer(header, "totalAtDrift"));
        return new Read(new Experience(samples, alone, undisturbed), integer(header, "lines") - whole);
    }

    /** Returns whether the line is whole. */
    private static boolean takes(
            String text,
            Map<Part, List<Kept>> parts,
            Map<String, RunTimesAlone> alone,
            Map<Signal, Map<String, RateRuns>> rates) {
        try {
            JsonNode line = parsed(text);
            if (line.has(OBSERVATION)) {
                parts.get(constant(Part.class, line, OBSERVATION)).add(kept(line));
            } else if (line.has(ALONE)) {
                alone.put(text(line, ALONE), alone(line));
            } else {
                rates.computeIfAbsent(rate(line), signal -> new LinkedHashMap<>())
                        .put(text(line, UNDISTURBED), undisturbed(line));
            }
            return true;
        } catch (IllegalArgumentException | DateTimeException e) {
            return false;
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not JSON", e);
        }
    }

    private static Kept kept(JsonNode line) {
        double[] whole = ModelJson.doubles(line.path("figures"));
        double[] parts = ModelJson.doubles(line.path("parts"));
        double[] figures =
                DoubleStream.concat(Arrays.stream(whole), Arrays.stream(parts)).toArray();
        for (double figure : figures) {
            if (Double.isInfinite(figure)) {
                throw new IllegalArgumentException("a figure is infinite");
            }
        }
        return new Kept(
                new Observation(
                        Instant.parse(text(line, "at")),
                        text(line, "kind"),
                        line.has("parts") ? Situation.of(figures) : Situation.withoutParts(figures),
                        new Label(
                                number(line, "slowdown"),
                                constant(Label.Source.class, line, "source"),
                                number(line, "weight"))),
                drifts(line));
    }

    private static RunTimesAlone alone(JsonNode line) {
        return new RunTimesAlone(integer(line, "runs"), number(line, "mean"), number(line, "squares"));
    }

    private static Signal rate(JsonNode line) {
        return line.has(RATE)
                ? Signal.ofWireName(text(line, RATE))
                        .orElseThrow(() -> new IllegalArgumentException(RATE + " is no signal"))
                : Signal.CPU;
    }

    private static RateRuns undisturbed(JsonNode line) {
        return new RateRuns(
                number(line, "count"),
                number(line, "logs"),
                Arrays.stream(ModelJson.doubles(line.path("disturbed"))).boxed().toList());
    }

    private static <E extends Enum<E>> E constant(Class<E> type, JsonNode line, String name) {
        return Enum.valueOf(type, text(line, name).toUpperCase(Locale.ROOT));
    }

    private static String text(JsonNode line, String name) {
        if (!line.path(name).isTextual()) {
            throw new IllegalArgumentException(name + " is not a text");
        }
        return line.path(name).textValue();
    }

    private static double number(JsonNode line, String name) {
        if (!line.path(name).isNumber()) {
            throw new IllegalArgumentException(name + " is not a number");
        }
        return line.path(name).doubleValue();
    }

    private static int drifts(JsonNode line) {
        long drifts = integer(line, "drifts");
        if (drifts > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("drifts is too large");
        }
        return (int) drifts;
    }

    private static long integer(JsonNode line, String name) {
        if (!line.path(name).canConvertToLong() || !line.path(name).isIntegralNumber()) {
            throw new IllegalArgumentException(name + " is not an integer");
        }
        return line.path(name).longValue();
    }
}
