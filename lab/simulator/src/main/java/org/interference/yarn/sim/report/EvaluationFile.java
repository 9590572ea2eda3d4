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
        JsonNode before = Files.exists(file) ? JSON.readTree(file.toFile()) : JSON.createObjectNode();
        ObjectNode results = JSON.createObjectNode();
        before.path("results").properties().forEach(entry -> results.set(entry.getKey(), entry.getValue()));
        ObjectNode node = results.putObject(section);
        ObjectNode how = node.putObject(MADE)
                .put("command", made.command())
                .put("machine", made.machine())
                .put("date", made.date());
        Optional<String> commit = Optional.ofNullable(System.getenv("MEASURED_COMMIT"));
        commit.ifPresent(name -> how.put("commit", name));
        node.setAll(figures);
        Set<String> commands = new LinkedHashSet<>();
        results.findValues(MADE)
                .forEach(each -> commands.add(each.path("command").asText()));
        ObjectNode root = JSON.createObjectNode()
                .put("name", file.getFileName().toString().replaceFirst("\\.json$", ""))
                .put("command", String.join("; ", commands))
                .put("machine", made.machine())
                .put("date", made.date());
        commit.ifPresent(name -> root.put("commit", name));
        root.set("results", results);
        Files.writeString(file, root.toPrettyString() + "\n");
    }
}
