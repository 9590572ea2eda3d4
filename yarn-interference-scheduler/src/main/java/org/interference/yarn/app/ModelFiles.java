package org.interference.yarn.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was learnt beside the profiles, in a directory: the newest versions of the model, one file each, and which profiles are
 * alike. A file is written whole or not at all.
 */
final class ModelFiles implements ModelStore {
    private static final Logger LOG = LoggerFactory.getLogger(ModelFiles.class);
    private static final int KEPT = 20;
    private static final String NAME = "model-%08d.json";
    private static final String CHARACTERISATION = "characterisation.json";
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private final Path directory;

    ModelFiles(Path directory) {
        this.directory = directory;
    }

    /** @param problem what could not be read, as a sentence */
    record Loaded(List<ModelVersion> versions, Optional<String> problem) {}

    /** Reads what an earlier life left; a file that cannot be read is left where it is. */
    Loaded load() {
        List<ModelVersion> versions = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        try {
            for (Path file : files()) {
                try {
                    versions.add(ModelJson.read(Files.readString(file)));
                } catch (IOException | RuntimeException e) {
                    problems.add("%s is not used: %s".formatted(file, e.getMessage()));
                    LOG.error("{} is not used", file, e);
                }
            }
        } catch (IOException e) {
            problems.add("%s cannot be read (%s); models are kept in memory".formatted(directory, e));
            LOG.error("{} cannot be read; models are kept in memory", directory, e);
        }
        return new Loaded(versions, problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
    }

    /** Oldest first. */
    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().matches("model-\\d{8}\\.json"))
                    .sorted(Comparator.comparing(file -> file.getFileName().toString()))
                    .toList();
        }
    }

    /** Returns which profiles were alike when that was last saved; empty if it never was, or cannot be read. */
    Optional<Characterisation> characterisation() {
        Path file = directory.resolve(CHARACTERISATION);
        try {
            return Files.exists(file)
                    ? Optional.of(JSON.readValue(Files.readString(file), Characterisation.class))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} is not used; it will be made anew", file, e);
            return Optional.empty();
        }
    }

    /** Keeps which profiles are alike; a failure is only logged, because it can be found again. */
    void save(Characterisation characterisation) {
        try {
            write(CHARACTERISATION, JSON.writeValueAsString(characterisation));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be written to {}", CHARACTERISATION, directory, e);
        }
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(directory);
        Path next = directory.resolve("next.json");
        Files.write(next, text.getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public List<String> save(ModelVersion version) {
        try {
            write(NAME.formatted(version.number()), ModelJson.write(version));
            List<Path> files = files();
            for (Path old : files.subList(0, Math.max(0, files.size() - KEPT))) {
                Files.delete(old);
            }
            return List.of();
        } catch (IOException | RuntimeException e) {
            LOG.error("model version {} cannot be written to {}", version.number(), directory, e);
            return List.of("model version %d cannot be written to %s (%s)".formatted(version.number(), directory, e));
        }
    }
}
