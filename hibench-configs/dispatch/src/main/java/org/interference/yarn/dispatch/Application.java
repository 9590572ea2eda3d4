package org.interference.yarn.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A YARN application as the ResourceManager's REST interface shows it. Immutable; times are the ResourceManager's, in milliseconds,
 * and 0 while there is none.
 *
 * @param submitted when the ResourceManager took it in
 * @param launched when its ApplicationMaster was launched
 * @param elapsed for how long it has been with the ResourceManager, or was
 * @param status what it says of itself, or what became of it: SUCCEEDED, FAILED, KILLED; UNDEFINED while it runs
 */
record Application(
        String id,
        String name,
        String queue,
        String state,
        String status,
        long submitted,
        long launched,
        long ended,
        long elapsed,
        long vcoreSeconds,
        long memoryMbSeconds,
        String diagnostics,
        List<String> tags) {
    private static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "KILLED");
    private static final String SUCCEEDED = "SUCCEEDED";
    private static final String KILLED = "KILLED";

    Application {
        tags = List.copyOf(tags);
    }

    /** Reads what {@link #json} writes, and what YARN writes. */
    static Application of(JsonNode json) {
        return new Application(
                json.path("id").asText(),
                json.path("name").asText(),
                json.path("queue").asText(),
                json.path("state").asText(),
                json.path("finalStatus").asText(),
                json.path("startedTime").asLong(),
                json.path("launchTime").asLong(),
                json.path("finishedTime").asLong(),
                json.path("elapsedTime").asLong(),
                json.path("vcoreSeconds").asLong(),
                json.path("memorySeconds").asLong(),
                json.path("diagnostics").asText(),
                Stream.of(json.path("applicationTags").asText().split(",", -1))
                        .map(String::strip)
                        .filter(tag -> !tag.isEmpty())
                        .toList());
    }

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("name", name)
                .put("queue", queue)
                .put("state", state)
                .put("finalStatus", status)
                .put("startedTime", submitted)
                .put("launchTime", launched)
                .put("finishedTime", ended)
                .put("elapsedTime", elapsed)
                .put("vcoreSeconds", vcoreSeconds)
                .put("memorySeconds", memoryMbSeconds)
                .put("diagnostics", diagnostics)
                .put("applicationTags", String.join(",", tags));
    }

    boolean isOver() {
        return ENDED.contains(state);
    }

    boolean hasSucceeded() {
        return isOver() && status.equals(SUCCEEDED);
    }

    boolean wasKilled() {
        return state.equals(KILLED) || status.equals(KILLED);
    }

    /** Returns which job of the run it belongs to; empty if its tags do not say. */
    OptionalInt instance() {
        return tags.stream()
                .filter(tag -> tag.matches(Tags.INSTANCE + "[0-9]{1,9}"))
                .mapToInt(tag -> Integer.parseInt(tag.substring(Tags.INSTANCE.length())))
                .findFirst();
    }
}
