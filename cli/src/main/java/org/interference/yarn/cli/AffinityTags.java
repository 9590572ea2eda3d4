package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which kinds of task talk so much that their applications should say so by a tag. Pure. */
final class AffinityTags {
    /** Of all that is exchanged between containers: with less, two are not brought together. */
    private static final double LEAST_SHARE = 0.1;

    private AffinityTags() {}

    /** Kinds of which each talks to another one of them. */
    private static final class Group {
        private final Set<String> kinds = new TreeSet<>();
        private double bytes;
    }

    /** Returns the suggestions as text; {@code kinds} are pairs of kinds with their bytes, those with the most first. */
    static String of(JsonNode kinds) {
        double all = 0;
        for (JsonNode pair : kinds) {
            all += pair.path("bytes").asDouble();
        }
        List<Group> groups = new ArrayList<>();
        for (JsonNode pair : kinds) {
            if (pair.path("bytes").asDouble() >= LEAST_SHARE * all && all > 0) {
                join(groups, pair);
            }
        }
        if (groups.isEmpty()) {
            return "Nothing is to be suggested: no two kinds of task are known to talk to each other.\n";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            String exchanged = Figure.bytes(DoubleNode.valueOf(group.bytes));
            String share = Figure.percent(DoubleNode.valueOf(group.bytes / all));
            text.append("ifc-affinity:talk%d for the applications of (%s, %s of all exchanged):%n"
                    .formatted(i + 1, exchanged, share));
            group.kinds.forEach(kind -> text.append("    ").append(kind).append('\n'));
        }
        return text.append("Each day halves what was exchanged before. Tags are heard in the queues of\n")
                .append("yarn.interference.place.tags.\n")
                .toString();
    }

    private static void join(List<Group> groups, JsonNode pair) {
        Group joined = new Group();
        joined.kinds.add(pair.path("kind").asText());
        joined.kinds.add(pair.path("other").asText());
        joined.bytes = pair.path("bytes").asDouble();
        for (Group group : List.copyOf(groups)) {
            if (group.kinds.stream().anyMatch(joined.kinds::contains)) {
                joined.kinds.addAll(group.kinds);
                joined.bytes += group.bytes;
                groups.remove(group);
            }
        }
        groups.add(joined);
    }
}
