package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskProfile;

/**
 * The lines that the store's files are made of: the CRC-32C of a JSON object as 8 hexadecimal digits, a space, the object.
 * The first line of a file is {@code {"schema":2}}; every other one a profile, or a key with {@code "gone":true}.
 */
final class Lines {
    private static final int CHECKSUM = 8;
    private static final int PREFIX = CHECKSUM + 1;
    private static final int LONGEST = 1 << 20;
    /** Bytes that are written, or read, at once. */
    private static final int CHUNK = 1 << 16;

    private static final byte[] HEADER =
            "{\"schema\":%d}".formatted(ProfileJson.SCHEMA).getBytes(StandardCharsets.UTF_8);
    private static final ObjectMapper JSON = new ObjectMapper(ProfileJson.FACTORY);

    private Lines() {}

    /** Gives its array away without copying it. */
    static final class Buffer extends ByteArrayOutputStream {
        byte[] array() {
            return buf;
        }
    }

    static void header(Buffer out) {
        line(HEADER, HEADER.length, out);
    }

    static void change(Change change, Buffer scratch, Buffer out) throws IOException {
        scratch.reset();
        try (JsonGenerator json = ProfileJson.FACTORY.createGenerator(scratch)) {
            if (change.profile().isPresent()) {
                ProfileJson.write(change.profile().get(), json);
            } else {
                json.writeStartObject();
                ProfileJson.write(change.key(), json);
                json.writeBooleanField("gone", true);
                json.writeEndObject();
            }
        }
        line(scratch.array(), scratch.size(), out);
    }

    /** Writes a whole file that holds {@code profiles}; returns how many bytes that took. */
    static long write(Collection<TaskProfile> profiles, StoreDirectory.Output out) throws IOException {
        long written = 0;
        Buffer bytes = new Buffer();
        Buffer scratch = new Buffer();
        header(bytes);
        for (TaskProfile profile : profiles) {
            change(new Change(profile.key(), Optional.of(profile)), scratch, bytes);
            if (bytes.size() >= CHUNK) {
                out.write(bytes.array(), bytes.size());
                written += bytes.size();
                bytes.reset();
            }
        }
        out.write(bytes.array(), bytes.size());
        return written + bytes.size();
    }

    private static void line(byte[] json, int length, Buffer out) {
        int checksum = checksum(json, 0, length);
        for (int shift = 28; shift >= 0; shift -= 4) {
            out.write(Character.forDigit(checksum >>> shift & 0xf, 16));
        }
        out.write(' ');
        out.write(json, 0, length);
        out.write('\n');
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /**
     * What reading found.
     *
     * @param schema empty if the first line is no header; the others are read all the same
     * @param damaged lines that were left out, except the last one
     * @param torn whether the last line is not whole: its writer was killed
     */
    record Read(Optional<Long> schema, long damaged, boolean torn) {}

    /** Reads all lines that are whole; of a file of another schema, none. */
    static Read read(InputStream in, Consumer<Change> changes) throws IOException {
        byte[] line = new byte[4096];
        byte[] chunk = new byte[CHUNK];
        Optional<Long> schema = Optional.empty();
        boolean first = true;
        boolean lastWasBad = false;
        long bad = 0;
        int length = 0;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            for (int i = 0; i < read; i++) {
                if (chunk[i] != '\n') {
                    if (length == line.length && length < LONGEST) {
                        line = Arrays.copyOf(line, 2 * length);
                    }
                    if (length < line.length) {
                        line[length++] = chunk[i];
                    }
                    continue;
                }
                JsonNode json = parsed(line, length);
                length = 0;
                if (first) {
                    first = false;
                    schema = json == null ? Optional.empty() : schema(json);
                    if (schema.isPresent() && schema.get() != ProfileJson.SCHEMA) {
                        return new Read(schema, 0, false);
                    }
                    if (schema.isPresent()) {
                        continue;
                    }
                }
                lastWasBad = !accepted(json, changes);
                bad += lastWasBad ? 1 : 0;
            }
        }
        return lastWasBad && length == 0 ? new Read(schema, bad - 1, true) : new Read(schema, bad, length > 0);
    }

    /** Null for a line that is not whole. */
    private static JsonNode parsed(byte[] line, int length) {
        if (length <= PREFIX) {
            return null;
        }
        try {
            int claimed = Integer.parseUnsignedInt(new String(line, 0, CHECKSUM, StandardCharsets.US_ASCII), 16);
            if (claimed != checksum(line, PREFIX, length - PREFIX)) {
                return null;
            }
            return JSON.readTree(line, PREFIX, length - PREFIX);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static Optional<Long> schema(JsonNode json) {
        return json.path("schema").canConvertToLong()
                ? Optional.of(json.path("schema").longValue())
                : Optional.empty();
    }

    private static boolean accepted(JsonNode json, Consumer<Change> changes) {
        if (json == null) {
            return false;
        }
        try {
            changes.accept(
                    json.path("gone").asBoolean() ? new Change(ProfileJson.key(json), Optional.empty()) : change(json));
            return true;
        } catch (IllegalArgumentException | ArithmeticException e) {
            return false;
        }
    }

    private static Change change(JsonNode json) {
        var profile = ProfileJson.profile(json);
        return new Change(profile.key(), Optional.of(profile));
    }
}
