package org.interference.yarn.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.learn.ModelStore;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.profile.store.StoreDirectory;
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
    private static final String NEXT = "next.json";
    private static final String CHARACTERISATION = "characterisation.json";
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private final String location;
    private final ProfileWriter.Opener opener;

    /** @param location of the directory, which {@code opener} finds */
    ModelFiles(String location, ProfileWriter.Opener opener) {
        this.location = location;
        this.opener = opener;
    }

    /** @param problem what could not be read, as a sentence */
    record Loaded(List<ModelVersion> versions, Optional<String> problem) {}

    /** Reads what an earlier life left; a file that cannot be read is left where it is. */
    Loaded load() {
        List<ModelVersion> versions = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        try {
            StoreDirectory directory = opener.open(location);
            for (String name : models(directory)) {
                try {
                    versions.add(ModelJson.read(read(directory, name)));
                } catch (IOException | RuntimeException e) {
                    problems.add("%s/%s is not used: %s".formatted(location, name, e.getMessage()));
                    LOG.error("{}/{} is not used", location, name, e);
                }
            }
        } catch (IOException | RuntimeException e) {
            problems.add("%s cannot be read (%s); models are kept in memory".formatted(location, e));
            LOG.error("{} cannot be read; models are kept in memory", location, e);
        }
        return new Loaded(versions, problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
    }

    private static String read(StoreDirectory directory, String name) throws IOException {
        try (InputStream in = directory.read(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Oldest first. */
    private static List<String> models(StoreDirectory directory) throws IOException {
        return directory.list().stream()
                .filter(name -> name.matches("model-\\d{8}\\.json"))
                .sorted()
                .toList();
    }

    /** Returns which profiles were alike when that was last saved; empty if it never was, or cannot be read. */
    Optional<Characterisation> characterisation() {
        try {
            StoreDirectory directory = opener.open(location);
            return directory.list().contains(CHARACTERISATION)
                    ? Optional.of(JSON.readValue(read(directory, CHARACTERISATION), Characterisation.class))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} in {} is not used; it will be made anew", CHARACTERISATION, location, e);
            return Optional.empty();
        }
    }

    /** Keeps which profiles are alike; a failure is only logged, because it can be found again. */
    void save(Characterisation characterisation) {
        try {
            write(opener.open(location), CHARACTERISATION, JSON.writeValueAsString(characterisation));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be written to {}", CHARACTERISATION, location, e);
        }
    }

    private static void write(StoreDirectory directory, String name, String text) throws IOException {
        // Also makes the directory.
        boolean replaces = directory.list().contains(name);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (StoreDirectory.Output out = directory.create(NEXT)) {
            out.write(bytes, bytes.length);
            out.force();
        }
        if (replaces) {
            directory.delete(name);
        }
        directory.rename(NEXT, name);
    }

    @Override
    public List<String> save(ModelVersion version) {
        try {
            StoreDirectory directory = opener.open(location);
            write(directory, NAME.formatted(version.number()), ModelJson.write(version));
            List<String> models = models(directory);
            for (String old : models.subList(0, Math.max(0, models.size() - KEPT))) {
                directory.delete(old);
            }
            return List.of();
        } catch (IOException | RuntimeException e) {
            LOG.error("model version {} cannot be written to {}", version.number(), location, e);
            return List.of("model version %d cannot be written to %s (%s)".formatted(version.number(), location, e));
        }
    }
}
