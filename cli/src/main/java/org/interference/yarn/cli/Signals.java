package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.cli.rm.Question;
import org.interference.yarn.cli.rm.RmClient;
import org.interference.yarn.cli.rm.RmException;

/** The signals that the plugin has, as it defines them. Immutable. */
final class Signals {
    /** Of which nothing is known. */
    static final Signals NONE = new Signals(Map.of());

    /** By name, the most telling first: what is left out on a narrow terminal is last. */
    private final Map<String, JsonNode> byName;

    private Signals(Map<String, JsonNode> byName) {
        this.byName = byName;
    }

    static Signals of(RmClient rm) throws RmException {
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        rm.ask(Question.get("signals"))
                .path("signals")
                .forEach(signal -> byName.put(signal.path("name").asText(), signal));
        return new Signals(byName);
    }

    /** Returns {@code names} in the plugin's order; those that it did not define, as it was another one then, last. */
    List<String> inOrder(Collection<String> names) {
        List<String> order = List.copyOf(byName.keySet());
        List<String> sorted = new ArrayList<>(names);
        sorted.sort(Comparator.comparingInt(name -> order.contains(name) ? order.indexOf(name) : order.size()));
        return sorted;
    }

    /**
     * Returns the signal of which there is most, of those that slowdowns are predicted from and that are no rates, and how much that is.
     *
     * @param measured by name
     * @param of the field with the level
     */
    String highest(JsonNode measured, String of) {
        Optional<Map.Entry<String, JsonNode>> most = measured.properties().stream()
                .filter(signal -> !isRate(signal.getKey()) && isPredictor(signal.getKey()))
                .filter(signal -> signal.getValue().path(of).isNumber())
                .max(Comparator.comparingDouble(
                        signal -> signal.getValue().path(of).doubleValue()));
        return most.map(signal ->
                        signal.getKey() + " " + Figure.level(signal.getValue().path(of)))
                .orElse(Figure.NONE);
    }

    private boolean isRate(String name) {
        return byName.containsKey(name) && byName.get(name).path("rate").asBoolean();
    }

    /** Before there were others, all of them were. */
    private boolean isPredictor(String name) {
        return !byName.containsKey(name) || byName.get(name).path("predictor").asBoolean(true);
    }
}
