package org.interference.yarn.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The file to which every part of one measurement adds its figures. Not thread-safe. */
public final class ResultFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path file;
    private final ObjectNode document;

    private ResultFile(Path file, ObjectNode document) {
        this.file = file;
        this.document = document;
    }

    /** Reads {@code file}, or begins one that says what was measured, where and when. */
    public static ResultFile open(Path file, String name, String command) throws IOException {
        return new ResultFile(
                file, Files.exists(file) ? (ObjectNode) JSON.readTree(file.toFile()) : header(name, command));
    }

    private static ObjectNode header(String name, String command) throws IOException {
        ObjectNode document = JSON.createObjectNode();
        document.put("name", name);
        document.put("command", command);
        document.set("machine", JSON.valueToTree(MachineDescription.describe()));
        document.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        document.putObject("results");
        return document;
    }

    /** Where the figures are put. */
    public Results results() {
        return new Results((ObjectNode) document.get("results"));
    }

    /** Returns what was measured so far under these names, the outermost first; not a number if nothing was. */
    public double figure(String... names) {
        JsonNode node = document.path("results");
        for (String name : names) {
            node = node.path(name);
        }
        return node.asDouble(Double.NaN);
    }

    public void write() throws IOException {
        Files.writeString(file, JSON.writeValueAsString(document) + "\n");
    }
}
