package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;

/** Nodes, one by one and together, at one instant. */
final class NodeAnswers {
    private final Sources sources;
    private final Instant now;

    NodeAnswers(Sources sources) {
        this.sources = sources;
        this.now = sources.clock().instant();
    }

    /** Whether a node can be decided on. */
    enum State {
        FRESH,
        STALE,
        UNMEASURED
    }

    /** @param contains what is in the names of the nodes that are asked for */
    ObjectNode nodes(Page page, Optional<State> state, String contains) {
        List<String> wanted = names(contains).stream()
                .filter(name -> state.isEmpty() || state.get() == state(name))
                .toList();
        return page.answer("nodes", wanted, this::describe);
    }

    /** @throws RequestException if there is no such node */
    ObjectNode node(String name) {
        requireNode(name);
        ObjectNode node = Json.object();
        describe(node, name);
        sources.ingest().newest(name).ifPresent(sample -> {
            ObjectNode figures = node.putObject("figures");
            NodeFigures told = sample.report().figures();
            told.values().forEach((metric, value) -> figures.put(metric.wireName(), Json.rounded(value)));
            ObjectNode untold = node.putObject("untold");
            told.untold().forEach((metric, why) -> untold.put(metric.wireName(), why.reason()));
            outside(told, sample).ifPresent(share -> node.put("outsideCpu", Json.rounded(share)));
            if (!sample.outside().isEmpty()) {
                describe(node.putObject("outside"), sample.outside());
            }
        });
        return node;
    }

    /**
     * What a node said of itself in the last hours.
     *
     * @throws RequestException if there is no such node
     */
    ObjectNode history(String name) {
        requireNode(name);
        ObjectNode answer = Json.object().put("node", name);
        ObjectNode values = answer.putObject("values");
        sources.ingest().history().of(name, now).ifPresent(series -> {
            answer.put("from", series.from().toString())
                    .put("stepSeconds", series.step().toSeconds());
            series.values().forEach((metric, told) -> {
                ArrayNode numbers = values.putArray(metric.wireName());
                told.forEach(value -> numbers.add(value.map(Json::rounded).orElse(null)));
            });
        });
        return answer;
    }

    private void requireNode(String name) {
        if (!sources.cluster().nodes().get().contains(name)) {
            throw RequestException.notFound("there is no node '%s' (as host:port)".formatted(name));
        }
    }

    /** Levels of groups of nodes that follow each other by name, at most {@code rows} groups. */
    ObjectNode heatmap(int rows, String contains) {
        List<String> names = names(contains);
        int size = Math.max(1, (names.size() + rows - 1) / rows);
        ObjectNode answer = Json.object().put("total", names.size());
        ArrayNode signals = answer.putArray("signals");
        Arrays.stream(Signal.values()).forEach(signal -> signals.add(signal.wireName()));
        ArrayNode groups = answer.putArray("rows");
        for (int i = 0; i < names.size(); i += size) {
            describe(groups.addObject(), names.subList(i, Math.min(i + size, names.size())));
        }
        return answer;
    }

    private void describe(ObjectNode json, List<String> group) {
        EnumMap<Signal, double[]> levels = new EnumMap<>(Signal.class);
        int fresh = 0;
        for (String name : group) {
            Optional<NodeSample> sample = sources.ingest().fresh(name, now);
            fresh += sample.isPresent() ? 1 : 0;
            sample.map(NodeSample::load)
                    .map(InterferenceVector::levels)
                    .orElse(Map.of())
                    .forEach((signal, level) -> {
                        double[] sums = levels.computeIfAbsent(signal, first -> new double[3]);
                        sums[0] += level;
                        sums[1]++;
                        sums[2] = Math.max(sums[2], level);
                    });
        }
        json.put("first", group.get(0))
                .put("last", group.get(group.size() - 1))
                .put("nodes", group.size())
                .put("fresh", fresh);
        ObjectNode mean = json.putObject("mean");
        ObjectNode max = json.putObject("max");
        levels.forEach((signal, sums) -> {
            mean.put(signal.wireName(), Json.rounded(sums[0] / sums[1]));
            max.put(signal.wireName(), Json.rounded(sums[2]));
        });
    }

    /** The share of the CPUs that is busy, but not with what containers are known to do. */
    private static OptionalDouble outside(NodeFigures figures, NodeSample sample) {
        OptionalDouble busy = figures.value(NodeMetric.CPU);
        return busy.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Math.max(0, busy.getAsDouble() - sample.load().levelOr(Signal.CPU, 0)));
    }

    private List<String> names(String contains) {
        return sources.cluster().nodes().get().stream()
                .filter(name -> name.contains(contains))
                .toList();
    }

    private State state(String name) {
        if (sources.ingest().fresh(name, now).isPresent()) {
            return State.FRESH;
        }
        return sources.ingest().newest(name).isPresent() ? State.STALE : State.UNMEASURED;
    }

    private void describe(ObjectNode node, String name) {
        node.put("node", name);
        node.put("fresh", sources.ingest().fresh(name, now).isPresent());
        node.put("pending", sources.placement().accounts().unmeasured(name, now));
        Optional<NodeSample> newest = sources.ingest().newest(name);
        if (newest.isEmpty()) {
            node.put("reason", "no report yet: is the NodeManager plugin configured there?");
            return;
        }
        NodeSample sample = newest.get();
        node.put("ageMs", Duration.between(sample.receivedAt(), now).toMillis());
        node.put("sequence", sample.report().sequence());
        node.put("clockSkewSeconds", sample.clockSkew().toSeconds());
        node.put("containers", sample.running().size());
        node.put("frozen", sample.frozen());
        node.put("notBelieved", sample.refused());
        describe(node.putObject("levels"), sample.load());
    }

    private static void describe(ObjectNode json, InterferenceVector levels) {
        levels.levels().forEach((signal, level) -> json.put(signal.wireName(), Json.rounded(level)));
    }
}
