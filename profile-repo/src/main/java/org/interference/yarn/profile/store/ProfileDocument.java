package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.TaskProfile;

/** Profiles as one JSON document, for people and other programs; equal profiles make equal bytes. */
public final class ProfileDocument {
    /** A whole profile has some hundred. */
    private static final int MOST_TOKENS = 10_000;
    /** A key has six parts of a hundred characters. */
    private static final int LONGEST_TEXT = 4 << 10;
    /** Of a profile that has everything there can be of one, in a key of which each character is escaped; most have a tenth. */
    private static final int MOST_BYTES_OF_ONE = 16 << 10;

    private static final int MOST_BYTES_OF_NONE = 1 << 10;

    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(100)
                    .maxNameLength(LONGEST_TEXT)
                    .maxStringLength(LONGEST_TEXT)
                    .build())
            .build());

    private ProfileDocument() {}

    /** Returns how many bytes a document of {@code profiles} has at most. */
    public static long mostBytes(int profiles) {
        return MOST_BYTES_OF_NONE + (long) profiles * MOST_BYTES_OF_ONE;
    }

    /** Writes {@code profiles} in the order of their keys, and leaves {@code out} open. */
    public static void write(Collection<TaskProfile> profiles, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out).useDefaultPrettyPrinter()) {
            write(profiles, json);
            json.writeRaw('\n');
        }
    }

    /** As {@link #write(Collection, OutputStream)}, on one line without an end. */
    public static void writeOnOneLine(Collection<TaskProfile> profiles, OutputStream out) throws IOException {
        try (JsonGenerator json = generator(out)) {
            write(profiles, json);
        }
    }

    private static JsonGenerator generator(OutputStream out) throws IOException {
        return ProfileJson.FACTORY
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                // What failed is not to look whole.
                .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
    }

    /** Profile by profile, so that no more of the document is in memory than a buffer. */
    private static void write(Collection<TaskProfile> profiles, JsonGenerator json) throws IOException {
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
    }

    /**
     * Reads a document of this schema.
     *
     * @throws IOException if it is none; nothing of it is used then
     */
    public static List<TaskProfile> read(byte[] document) throws IOException {
        return read(new ByteArrayInputStream(document), Integer.MAX_VALUE);
    }

    /**
     * Reads a document profile by profile, so that no more of it is in memory than the profiles and the one that is being read.
     *
     * @param most profiles
     * @throws IOException if it is no document, or has more; nothing of it is used then
     */
    public static List<TaskProfile> read(InputStream document, int most) throws IOException {
        try (Profiles parser = new Profiles(MAPPER.createParser(document))) {
            return parser.document(most);
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Reads one document. What a profile is made of is bounded, whatever it is. */
    private static final class Profiles extends JsonParserDelegate {
        private int tokens;

        Profiles(JsonParser parser) {
            super(parser);
        }

        List<TaskProfile> document(int most) throws IOException {
            long schema = 0;
            List<TaskProfile> profiles = null;
            boolean object = nextToken() == JsonToken.START_OBJECT;
            while (object && nextToken() == JsonToken.FIELD_NAME) {
                String field = currentName();
                JsonToken value = nextToken();
                if (field.equals("schema")) {
                    schema = value == JsonToken.VALUE_NUMBER_INT ? getLongValue() : 0;
                } else if (field.equals("profiles") && value == JsonToken.START_ARRAY) {
                    requireKnown(schema);
                    profiles = profiles(most);
                } else {
                    skipChildren();
                }
                tokens = 0;
            }
            if (profiles == null) {
                throw new IOException("no profiles of schema %d".formatted(ProfileJson.SCHEMA));
            }
            if (currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the document has no end");
            }
            return profiles;
        }

        private static void requireKnown(long schema) throws IOException {
            if (schema != ProfileJson.SCHEMA) {
                throw new IOException("no profiles of schema %d, but of schema %d; the schema comes before the profiles"
                        .formatted(ProfileJson.SCHEMA, schema));
            }
        }

        private List<TaskProfile> profiles(int most) throws IOException {
            List<TaskProfile> profiles = new ArrayList<>();
            while (nextToken() != JsonToken.END_ARRAY) {
                if (profiles.size() == most) {
                    throw new IOException("more than %d profiles".formatted(most));
                }
                tokens = 0;
                JsonNode profile = MAPPER.readTree(this);
                profiles.add(bounded(ProfileJson.profile(profile)));
            }
            return profiles;
        }

        private static TaskProfile bounded(TaskProfile profile) throws IOException {
            if (profile.mixture().launches().size() > Mixture.MOST_LAUNCHES) {
                throw new IOException("a profile of more than %d launches".formatted(Mixture.MOST_LAUNCHES));
            }
            return profile;
        }

        @Override
        public JsonToken nextToken() throws IOException {
            if (++tokens > MOST_TOKENS) {
                throw new IOException("a profile of more than %d values".formatted(MOST_TOKENS));
            }
            return super.nextToken();
        }
    }
}
