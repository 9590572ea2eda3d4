package org.interference.yarn.app;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The model versions in a directory, one file each, written whole or not at all. The newest are kept. */
final class ModelFiles implements ModelStore {
    private static final Logger LOG = LoggerFactory.getLogger(ModelFiles.class);
    private static final int KEPT = 20;
    private static final String NAME = "model-%08d.json";

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

    @Override
    public List<String> save(ModelVersion version) {
        try {
            Files.createDirectories(directory);
            Path next = directory.resolve("next.json");
            byte[] bytes = ModelJson.write(version).getBytes(StandardCharsets.UTF_8);
            Files.write(next, bytes);
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(next, directory.resolve(NAME.formatted(version.number())), StandardCopyOption.ATOMIC_MOVE);
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
