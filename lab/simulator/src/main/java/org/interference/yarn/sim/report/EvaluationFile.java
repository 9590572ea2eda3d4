package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What is published of a proof: {@code name, command, machine, date, commit, results.<section>}, where each section is made by a program
 * of its own, at a time and from a commit of its own; those at the top are the newest section's. The commit is in the environment, as
 * {@code MEASURED_COMMIT}, or is left out.
 */
public final class EvaluationFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MADE = "made";

    private EvaluationFile() {}

    /**
     * How a section was made. Immutable.
     *
     * @param machine in words
     * @param date as ISO 8601 writes it
     */
    public record Made(String command, String machine, String date) {}

    /**
     * Puts {@code figures} in the place of what {@code file} had of {@code section}, and leaves the rest of the results as it is. The name is the file's.
     *
     * @throws IOException also if the file is not JSON
     */
    public static void put(Path file, String section, ObjectNode figures, Made made) throws IOException {
        ObjectNode results = results(file);
        ObjectNode node = results.putObject(section);
        node.set(MADE, how(made));
        node.setAll(figures);
        write(file, results, made);
    }

    /**
     * Puts each of {@code parts} in the place of what {@code file} had of it in {@code section}, and leaves the section's other parts and the rest of the
     * results as they are: each part then says by itself how it was made. All parts are objects.
     *
     * @throws IOException also if the file is not JSON
     */
    public static void putParts(Path file, String section, ObjectNode parts, Made made) throws IOException {
        ObjectNode results = results(file);
        ObjectNode node = results.withObjectProperty(section);
        JsonNode whole = node.remove(MADE);
        if (whole != null) {
            // The section was made at once until now.
            node.forEach(part -> ((ObjectNode) part).set(MADE, whole));
        }
        parts.properties().forEach(part -> {
            ObjectNode own = node.putObject(part.getKey());
            own.set(MADE, how(made));
            own.setAll((ObjectNode) part.getValue());
        });
        write(file, results, made);
    }

    private static ObjectNode results(Path file) throws IOException {
        JsonNode before = Files.exists(file) ? JSON.readTree(file.toFile()) : JSON.createObjectNode();
        ObjectNode results = JSON.createObjectNode();
        before.path("results").properties().forEach(entry -> results.set(entry.getKey(), entry.getValue()));
        return results;
    }

    private static Optional<String> commit() {
        return Optional.ofNullable(System.getenv("MEASURED_COMMIT"));
    }

    private static ObjectNode how(Made made) {
        ObjectNode how = JSON.createObjectNode()
                .put("command", made.command())
                .put("machine", made.machine())
                .put("date", made.date());
        commit().ifPresent(name -> how.put("commit", name));
        return how;
    }

    private static void write(Path file, ObjectNode results, Made made) throws IOException {
        Set<String> commands = new LinkedHashSet<>();
        results.findValues(MADE)
                .forEach(each -> commands.add(each.path("command").asText()));
        ObjectNode root = JSON.createObjectNode()
                .put("name", file.getFileName().toString().replaceFirst("\\.json$", ""))
                .put("command", String.join("; ", commands))
                .put("machine", made.machine())
                .put("date", made.date());
        commit().ifPresent(name -> root.put("commit", name));
        root.set("results", results);
        Files.writeString(file, root.toPrettyString() + "\n");
    }
}
