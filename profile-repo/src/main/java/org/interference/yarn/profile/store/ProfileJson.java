package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.Modes;
import org.interference.yarn.profile.RunTimes;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;

/**
 * One profile as a JSON object, as {@code docs/profile-format.md} says. A field that a newer version added is not read; one
 * that changes a meaning raises {@link #SCHEMA}.
 */
final class ProfileJson {
    /** The version that is written. */
    static final int SCHEMA = 2;

    static final JsonFactory FACTORY = new JsonFactory();

    private ProfileJson() {}

    static void write(TaskProfile profile, JsonGenerator json) throws IOException {
        json.writeStartObject();
        write(profile.key(), json);
        json.writeNumberField("samples", profile.samples());
        json.writeStringField("updated", profile.updated().toString());
        json.writeObjectFieldStart("runTimeSeconds");
        write("all", profile.runTimes().all(), json);
        write("alone", profile.runTimes().alone(), json);
        write("contended", profile.runTimes().contended(), json);
        json.writeEndObject();
        write("signals", profile.signals(), json);
        write(profile.mixture(), json);
        FootprintJson.write(profile.footprint(), json);
        json.writeEndObject();
    }

    static void write(TaskKey key, JsonGenerator json) throws IOException {
        json.writeStringField("level", key.level().name());
        json.writeStringField("key", key.text());
    }

    private static void write(String name, Map<Signal, Averages> signals, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<Signal, Averages> signal : signals.entrySet()) {
            write(signal.getKey().wireName(), signal.getValue(), json);
        }
        json.writeEndObject();
    }

    private static void write(String name, Averages averages, JsonGenerator json) throws IOException {
        if (averages.count() == 0) {
            return;
        }
        json.writeArrayFieldStart(name);
        json.writeNumber(averages.count());
        json.writeNumber(averages.weight());
        json.writeNumber(averages.fast());
        json.writeNumber(averages.mean());
        json.writeNumber(averages.variance());
        json.writeNumber(averages.p95());
        json.writeNumber(averages.peak());
        json.writeEndArray();
    }

    private static void write(Mixture mixture, JsonGenerator json) throws IOException {
        if (!mixture.launches().isEmpty()) {
            json.writeObjectFieldStart("launches");
            for (Map.Entry<LaunchSignature, Long> launch : mixture.launches().entrySet()) {
                json.writeNumberField(launch.getKey().toString(), launch.getValue());
            }
            json.writeEndObject();
        }
        if (!mixture.modes().isEmpty()) {
            json.writeObjectFieldStart("modes");
            for (Map.Entry<Signal, Modes> signal : mixture.modes().entrySet()) {
                Modes modes = signal.getValue();
                json.writeArrayFieldStart(signal.getKey().wireName());
                json.writeNumber(modes.low());
                json.writeNumber(modes.lowMean());
                json.writeNumber(modes.lowSquares());
                json.writeNumber(modes.high());
                json.writeNumber(modes.highMean());
                json.writeNumber(modes.highSquares());
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        if (mixture.boundary().isPresent()) {
            json.writeObjectFieldStart("boundary");
            json.writeStringField("signal", mixture.boundary().get().signal().wireName());
            json.writeNumberField("level", mixture.boundary().get().level());
            json.writeEndObject();
        }
    }

    /** @throws IllegalArgumentException if it is no profile */
    static TaskProfile profile(JsonNode json) {
        try {
            TaskProfile profile = new TaskProfile(
                    key(json),
                    whole(json.get("samples")),
                    signals(object(json, "signals")),
                    runTimes(object(json, "runTimeSeconds")),
                    mixture(json),
                    FootprintJson.footprint(json.get(FootprintJson.NAME)),
                    Instant.parse(text(json, "updated")));
            requireSomething(profile);
            return profile;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void requireSomething(TaskProfile profile) {
        if (profile.samples() < 1) {
            throw new IllegalArgumentException("%s has no samples".formatted(profile.key()));
        }
    }

    static TaskKey key(JsonNode json) {
        return new TaskKey(TaskKey.Level.valueOf(text(json, "level")), text(json, "key"));
    }

    private static Map<Signal, Averages> signals(JsonNode json) {
        EnumMap<Signal, Averages> signals = new EnumMap<>(Signal.class);
        // A signal of a newer version is left out: nothing here could use it.
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            Averages averages = averages(field.getValue());
            Signal.ofWireName(field.getKey()).ifPresent(signal -> signals.put(signal, averages));
        }
        return signals;
    }

    private static RunTimes runTimes(JsonNode json) {
        return new RunTimes(
                averagesOrNone(json, "all"), averagesOrNone(json, "alone"), averagesOrNone(json, "contended"));
    }

    private static Averages averagesOrNone(JsonNode json, String name) {
        return json.has(name) ? averages(json.get(name)) : Averages.NONE;
    }

    private static Averages averages(JsonNode json) {
        return new Averages(
                whole(json.get(0)),
                Math.toIntExact(whole(json.get(1))),
                number(json.get(2)),
                number(json.get(3)),
                number(json.get(4)),
                number(json.get(5)),
                number(json.get(6)));
    }

    private static Mixture mixture(JsonNode json) {
        Map<LaunchSignature, Long> launches = new LinkedHashMap<>();
        if (json.has("launches")) {
            object(json, "launches")
                    .properties()
                    .forEach(launch -> launches.put(
                            new LaunchSignature(Long.parseUnsignedLong(launch.getKey(), 16)),
                            whole(launch.getValue())));
        }
        EnumMap<Signal, Modes> modes = new EnumMap<>(Signal.class);
        if (json.has("modes")) {
            object(json, "modes").properties().forEach(field -> {
                Modes read = modes(field.getValue());
                Signal.ofWireName(field.getKey()).ifPresent(signal -> modes.put(signal, read));
            });
        }
        return new Mixture(launches, modes, boundary(json.get("boundary")));
    }

    private static Modes modes(JsonNode json) {
        return new Modes(
                Math.toIntExact(whole(json.get(0))),
                (float) number(json.get(1)),
                (float) number(json.get(2)),
                Math.toIntExact(whole(json.get(3))),
                (float) number(json.get(4)),
                (float) number(json.get(5)));
    }

    private static Optional<Mixture.Boundary> boundary(JsonNode json) {
        return json == null
                ? Optional.empty()
                : Signal.ofWireName(text(json, "signal"))
                        .map(signal -> new Mixture.Boundary(signal, number(json.get("level"))));
    }

    static JsonNode object(JsonNode json, String name) {
        JsonNode field = json.get(name);
        if (field == null || !field.isObject()) {
            throw new IllegalArgumentException("%s is %s but must be an object".formatted(name, field));
        }
        return field;
    }

    static String text(JsonNode json, String name) {
        JsonNode field = json.get(name);
        if (field == null || !field.isTextual()) {
            throw new IllegalArgumentException("%s is %s but must be text".formatted(name, field));
        }
        return field.textValue();
    }

    static long whole(JsonNode field) {
        if (field == null || !field.canConvertToLong() || !field.isIntegralNumber()) {
            throw new IllegalArgumentException("%s must be a whole number".formatted(field));
        }
        return field.longValue();
    }

    static double number(JsonNode field) {
        if (field == null || !field.isNumber() || !Double.isFinite(field.doubleValue())) {
            throw new IllegalArgumentException("%s must be a number".formatted(field));
        }
        return field.doubleValue();
    }
}
