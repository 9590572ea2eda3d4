package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.interference.yarn.profile.TaskProfile;

/** Profiles as one JSON document, for people and other programs; equal profiles make equal bytes. */
public final class ProfileDocument {
    private ProfileDocument() {}

    /** Writes {@code profiles} in the order of their keys, and leaves {@code out} open. */
    public static void write(Collection<TaskProfile> profiles, OutputStream out) throws IOException {
        JsonGenerator json = ProfileJson.FACTORY.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).useDefaultPrettyPrinter();
        json.writeStartObject();
        json.writeNumberField("schema", ProfileJson.SCHEMA);
        json.writeArrayFieldStart("profiles");
        List<TaskProfile> sorted = profiles.stream()
                .sorted(Comparator.comparing(
                                (TaskProfile profile) -> profile.key().level())
                        .thenComparing(profile -> profile.key().text()))
                .toList();
        for (TaskProfile profile : sorted) {
            ProfileJson.write(profile, json);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
        json.close();
    }

    /**
     * Reads a document of this schema or of the one before.
     *
     * @throws IOException if it is none; nothing of it is used then
     */
    public static List<TaskProfile> read(byte[] document) throws IOException {
        JsonNode json = new ObjectMapper().readTree(document);
        long schema = json == null ? 0 : json.path("schema").asLong();
        if (schema == 1) {
            return LegacyFile.read(document);
        }
        if (schema != ProfileJson.SCHEMA || !json.path("profiles").isArray()) {
            throw new IOException(
                    "no profiles of schema 1 to %d, but of schema %d".formatted(ProfileJson.SCHEMA, schema));
        }
        List<TaskProfile> profiles = new ArrayList<>();
        try {
            for (JsonNode profile : json.path("profiles")) {
                profiles.add(ProfileJson.profile(profile));
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
        return profiles;
    }
}
