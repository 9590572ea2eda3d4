package org.interference.yarn.profile.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/** The store of schema 1: one JSON document, {@code profiles.json}. Only read. */
final class LegacyFile {
    static final String NAME = "profiles.json";

    private LegacyFile() {}

    /** @throws IOException if it is no such document; nothing of it is used then */
    static List<TaskProfile> read(byte[] bytes) throws IOException {
        try {
            JsonNode document = new ObjectMapper().readTree(bytes);
            if (document == null || ProfileJson.whole(document.get("schema")) != 1) {
                throw new IllegalArgumentException("not of schema 1");
            }
            List<TaskProfile> profiles = new ArrayList<>();
            for (JsonNode profile : document.path("profiles")) {
                profiles.add(profile(profile));
            }
            return profiles;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** @throws IllegalArgumentException if it is no profile, or a {@link DateTimeException} */
    static TaskProfile profile(JsonNode json) {
        EnumMap<Signal, Averages> signals = new EnumMap<>(Signal.class);
        for (Map.Entry<String, JsonNode> field :
                ProfileJson.object(json, "signals").properties()) {
            Averages averages = averages(field.getValue());
            Signal.ofWireName(field.getKey()).ifPresent(signal -> signals.put(signal, averages));
        }
        return new TaskProfile(
                ProfileJson.key(json),
                Math.max(1, ProfileJson.whole(json.get("samples"))),
                signals,
                averages(ProfileJson.object(json, "runTimeSeconds")),
                Instant.parse(ProfileJson.text(json, "updated")));
    }

    /** Two moments do not say how large the largest was: three standard deviations up has to do. */
    private static Averages averages(JsonNode json) {
        long count = ProfileJson.whole(json.get("count"));
        double mean = ProfileJson.number(json.get("mean"));
        double variance = count < 1 ? 0 : ProfileJson.number(json.get("squaredDistances")) / count;
        double deviation = Math.sqrt(Math.max(0, variance));
        Averages like = Averages.constant(count, mean);
        return new Averages(count, like.weight(), mean, mean, variance, mean + 1.645 * deviation, mean + 3 * deviation);
    }
}
