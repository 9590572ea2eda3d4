package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.interference.yarn.place.Mode;

/** What the bodies of changes say: pure functions of their bytes, which return a value or throw a {@link RequestException}. */
final class Bodies {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SHOWN = 60;
    /** Controls, what ends a line, and halves of characters. */
    private static final Pattern NOT_SHOWN = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private Bodies() {}

    /** @param queue empty for everything */
    record NewMode(Mode mode, Optional<String> queue) {}

    /** Reads {@code {"mode": "shadow", "queue": "root.etl"}}. */
    static NewMode mode(byte[] body) {
        JsonNode wanted = json(body);
        JsonNode queue = wanted.path("queue");
        if (!wanted.path("mode").isTextual() || !(queue.isMissingNode() || queue.isTextual())) {
            throw RequestException.bad(
                    "the body must be an object with a mode, as {\"mode\": \"shadow\", \"queue\": \"root.etl\"},"
                            + " and without a queue for everything");
        }
        String name = wanted.path("mode").asText();
        Mode mode = Arrays.stream(Mode.values())
                .filter(known -> Json.lowerCase(known).equals(name))
                .findFirst()
                .orElseThrow(() -> RequestException.bad("mode is '%s' but must be one of %s"
                        .formatted(
                                shortened(name),
                                Arrays.stream(Mode.values())
                                        .map(Json::lowerCase)
                                        .collect(Collectors.joining(", ")))));
        return new NewMode(mode, queue.isTextual() ? Optional.of(queue.asText()) : Optional.empty());
    }

    /** Reads {@code {"settings": {NAME: VALUE, ...}}}. */
    static Map<String, String> settings(byte[] body) {
        JsonNode wanted = json(body).path("settings");
        if (!wanted.isObject()
                || !wanted.properties().stream()
                        .allMatch(entry -> entry.getValue().isTextual())) {
            throw RequestException.bad("the body must be an object of settings, as"
                    + " {\"settings\": {\"yarn.interference.place.choices\": \"4\"}}");
        }
        Map<String, String> values = new LinkedHashMap<>();
        wanted.properties()
                .forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
        return values;
    }

    /** Reads {@code {"version": 3}}. */
    static int version(byte[] body) {
        JsonNode wanted = json(body).path("version");
        if (!wanted.isInt() || wanted.asInt() < 1) {
            throw RequestException.bad("the body must be an object with the number of a version, as {\"version\": 3}");
        }
        return wanted.asInt();
    }

    /** Returns the body as JSON; missing if it is none: then nothing is found in it. */
    private static JsonNode json(byte[] body) {
        try {
            JsonNode json = MAPPER.readTree(body);
            return json == null ? MAPPER.missingNode() : json;
        } catch (IOException e) {
            return MAPPER.missingNode();
        }
    }

    /** Returns its beginning on one line, of whole characters. */
    private static String shortened(String text) {
        String line = NOT_SHOWN.matcher(text).replaceAll(" ");
        return line.codePointCount(0, line.length()) > SHOWN
                ? line.substring(0, line.offsetByCodePoints(0, SHOWN)) + "…"
                : line;
    }
}
