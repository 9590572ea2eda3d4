package org.interference.yarn.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.interference.yarn.signal.Capacities;

/** The capacities of the reference node as JSON; what it does not know is left out. Pure. */
final class ReferenceJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReferenceJson() {}

    static String write(Capacities reference) {
        ObjectNode json = JSON.createObjectNode();
        reference.told().forEach(json::put);
        return json.toString();
    }

    /** @throws IllegalArgumentException if {@code text} is no JSON object */
    static Capacities read(String text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not JSON", e);
        }
        if (!json.isObject()) {
            throw new IllegalArgumentException("it is no JSON object");
        }
        return new Capacities(
                json.path("cpus").asDouble(Double.NaN),
                json.path("memoryBytes").asDouble(Double.NaN),
                json.path("diskBytesPerSecond").asDouble(Double.NaN),
                json.path("networkBitsPerSecond").asDouble(Double.NaN));
    }
}
