package org.interference.yarn.wire.intpd;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;

/** Encodes requests to intpd and decodes its answers, version 1 of the protocol. Stateless and thread-safe. */
public final class IntpdCodec {
    /** A longer answer is refused: 1,024 containers take half of it where everything is said of each. */
    public static final int MAX_ANSWER_BYTES = 8 << 20;

    static final int VERSION = 1;

    private static final int MAX_DEPTH = 16;
    private static final int MAX_TEXT = 4096;

    private static final JsonFactory JSON = JsonFactory.builder()
            // Names come from another process; neither they nor a guessed encoding may outlive the line.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_TEXT)
                    .maxNameLength(MAX_TEXT)
                    .build())
            .build();

    private IntpdCodec() {}

    /** Returns {@code request} as a line without its end; {@code id} comes back in the answer. */
    public static byte[] encode(IntpdRequest request, OptionalLong id) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeNumberField("v", VERSION);
            json.writeStringField("op", request.op());
            if (id.isPresent()) {
                json.writeNumberField("id", id.getAsLong());
            }
            if (request instanceof IntpdRequest.Snapshot snapshot
                    && !snapshot.said().isEmpty()) {
                json.writeBooleanField("brief", true);
            }
            writeContainers(json, request);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return line.toByteArray();
    }

    private static void writeContainers(JsonGenerator json, IntpdRequest request) throws IOException {
        if (request instanceof IntpdRequest.Watch watch) {
            json.writeArrayFieldStart("containers");
            for (Map.Entry<String, IntpdRequest.Root> container : watch.roots().entrySet()) {
                IntpdRequest.Root root = container.getValue();
                json.writeStartObject();
                json.writeStringField("container", container.getKey());
                json.writeNumberField("pid", root.pid());
                if (root.startTicks().isPresent()) {
                    json.writeNumberField("start", root.startTicks().getAsLong());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        } else if (request instanceof IntpdRequest.Unwatch unwatch) {
            json.writeArrayFieldStart("containers");
            for (String container : unwatch.containers()) {
                json.writeString(container);
            }
            json.writeEndArray();
        }
    }

    /**
     * Decodes {@code line}, without its end, as the answer to {@code request}: the answer that the request names, or a
     * refusal. Members, signals and statuses of a newer daemon are left out.
     *
     * @throws IntpdProtocolException if the line is too long, is not JSON, lacks a member, or has one of a wrong type or
     *     a number that is negative or not finite
     */
    public static IntpdReply decode(byte[] line, IntpdRequest request) throws IntpdProtocolException {
        if (line.length > MAX_ANSWER_BYTES) {
            throw new IntpdProtocolException(
                    "an answer has %d bytes, at most %d are read".formatted(line.length, MAX_ANSWER_BYTES));
        }
        try (JsonParser parser = JSON.createParser(line)) {
            return new AnswerReader(parser).read(request);
        } catch (IntpdProtocolException e) {
            throw e;
        } catch (JsonProcessingException e) {
            throw new IntpdProtocolException("an answer is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IntpdProtocolException("an answer is not JSON: " + e.getMessage(), e);
        }
    }
}
