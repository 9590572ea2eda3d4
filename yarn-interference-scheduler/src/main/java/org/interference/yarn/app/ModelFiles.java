package org.interference.yarn.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.interference.yarn.learn.Experience;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.profile.store.StoreDirectory;
import org.interference.yarn.signal.Capacities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was learnt beside the profiles, in a directory: the newest versions of the model, one file each, the observations that the next
 * will be made of, and which profiles are alike. A file is written whole or not at all. One that says what it should not is moved aside;
 * one that cannot be read may be whole, and is neither replaced nor deleted.
 */
final class ModelFiles implements LearntStore {
    private static final Logger LOG = LoggerFactory.getLogger(ModelFiles.class);
    private static final int KEPT = 20;
    private static final String NAME = "model-%08d.json";
    private static final Pattern MODEL = Pattern.compile("model-\\d{8}\\.json");
    private static final String OBSERVATIONS_NAME = "observations-%08d.jsonl";
    private static final Pattern OBSERVATIONS = Pattern.compile("observations-\\d{8}\\.jsonl");
    private static final Pattern UNFINISHED = Pattern.compile("next.*\\.json");
    private static final String CHARACTERISATION = "characterisation.json";
    /** Numbered, so that there is one whatever happens while it is replaced. The first name is that of earlier versions. */
    private static final Pattern REFERENCE = Pattern.compile("reference-node(-\\d{8})?\\.json");

    private static final String REFERENCE_NAME = "reference-node-%08d.json";
    private static final Pattern NUMBERED = Pattern.compile(".*-(\\d{8})\\.jsonl?");
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private final String location;
    private final ProfileWriter.Opener opener;
    /** Of this object's own: another ResourceManager may still be writing. */
    private final String unfinished = "next-%s.json".formatted(UUID.randomUUID());

    private final InstantSource clock;
    /** Files of which a part is used; they are moved aside when that is in a newer one. */
    private final Set<String> damaged = new HashSet<>();

    /**
     * @param location of the directory, which {@code opener} finds
     * @param clock names files that are moved aside
     */
    ModelFiles(String location, ProfileWriter.Opener opener, InstantSource clock) {
        this.location = location;
        this.opener = opener;
        this.clock = clock;
    }

    @Override
    public synchronized Learnt load() throws IOException {
        try {
            return load(opener.open(location));
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "%s cannot be read (%s); models and observations are kept in memory".formatted(location, e), e);
        }
    }

    /** Changes nothing before all of it was read. */
    private Learnt load(StoreDirectory directory) throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, RuntimeException> useless = new LinkedHashMap<>();
        Experience experience = experience(directory, useless, problems);
        List<ModelVersion> versions = new ArrayList<>();
        for (String name : named(directory, MODEL)) {
            String text = read(directory, name);
            try {
                versions.add(ModelJson.read(text));
            } catch (RuntimeException e) {
                useless.put(name, e);
            }
        }
        for (String left : named(directory, UNFINISHED)) {
            directory.delete(left);
        }
        for (Map.Entry<String, RuntimeException> file : useless.entrySet()) {
            String name = file.getKey();
            String aside = moveAside(directory, name);
            problems.add("%s/%s is not used: %s; it was moved to %s"
                    .formatted(location, name, file.getValue().getMessage(), aside));
            LOG.error("{}/{} is not used; it was moved to {}", location, name, aside, file.getValue());
        }
        return new Learnt(
                versions, experience, problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
    }

    /** The newest file that is one: if there are two, the second one was written in full, and the first not deleted any more. */
    private Experience experience(
            StoreDirectory directory, Map<String, RuntimeException> useless, List<String> problems) throws IOException {
        List<String> names = named(directory, OBSERVATIONS);
        for (int i = names.size() - 1; i >= 0; i--) {
            String name = names.get(i);
            String text = read(directory, name);
            try {
                ExperienceJson.Read read = ExperienceJson.read(text.lines());
                if (read.damaged() != 0) {
                    damaged.add(name);
                    problems.add("%s/%s: %d lines are damaged and left out".formatted(location, name, read.damaged()));
                    LOG.error("{}/{}: {} lines are damaged and left out", location, name, read.damaged());
                }
                LOG.info(
                        "{} observations read from {}",
                        read.experience().samples().size(),
                        location);
                return read.experience();
            } catch (RuntimeException e) {
                useless.put(name, e);
            }
        }
        return Experience.NONE;
    }

    private static String read(StoreDirectory directory, String name) throws IOException {
        try (InputStream in = directory.read(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException("%s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /** Returns under which name it is now. */
    private String moveAside(StoreDirectory directory, String name) throws IOException {
        String aside = "%s.unreadable-%d".formatted(name, clock.instant().toEpochMilli());
        directory.rename(name, aside);
        return aside;
    }

    /** Oldest first. */
    private static List<String> named(StoreDirectory directory, Pattern pattern) throws IOException {
        return directory.list().stream()
                .filter(pattern.asMatchPredicate())
                .sorted()
                .toList();
    }

    @Override
    public synchronized Optional<Characterisation> characterisation() {
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

    @Override
    public synchronized void save(Characterisation characterisation) {
        try {
            write(opener.open(location), CHARACTERISATION, JSON.writeValueAsString(characterisation));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be written to {}", CHARACTERISATION, location, e);
        }
    }

    @Override
    public synchronized Capacities reference() throws IOException {
        StoreDirectory directory = opener.open(location);
        Capacities reference = Capacities.UNKNOWN;
        for (String name : references(directory)) {
            String text = read(directory, name);
            try {
                reference = ReferenceJson.read(text);
            } catch (IllegalArgumentException e) {
                LOG.error("{} of {} is not used, and will be replaced", name, location, e);
            }
        }
        return reference;
    }

    @Override
    public synchronized List<String> save(Capacities reference) {
        try {
            StoreDirectory directory = opener.open(location);
            List<String> old = references(directory);
            write(directory, REFERENCE_NAME.formatted(nextNumber(old)), ReferenceJson.write(reference));
            for (String name : old) {
                directory.delete(name);
            }
            return List.of();
        } catch (IOException | RuntimeException e) {
            LOG.error("the reference node cannot be written to {}", location, e);
            return List.of("the reference node cannot be written to %s (%s)".formatted(location, e));
        }
    }

    /** Oldest first. */
    private static List<String> references(StoreDirectory directory) throws IOException {
        return named(directory, REFERENCE).stream()
                .sorted(Comparator.comparingInt(ModelFiles::number))
                .toList();
    }

    private void write(StoreDirectory directory, String name, String text) throws IOException {
        // Also makes the directory.
        boolean replaces = directory.list().contains(name);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (StoreDirectory.Output out = directory.create(unfinished)) {
            out.write(bytes, bytes.length);
            out.force();
        }
        if (replaces) {
            directory.delete(name);
        }
        directory.rename(unfinished, name);
    }

    @Override
    public synchronized List<String> save(Experience experience) {
        try {
            StoreDirectory directory = opener.open(location);
            List<String> old = named(directory, OBSERVATIONS);
            write(directory, OBSERVATIONS_NAME.formatted(nextNumber(old)), ExperienceJson.write(experience));
            for (String name : old) {
                if (damaged.contains(name)) {
                    moveAside(directory, name);
                } else {
                    directory.delete(name);
                }
            }
            return List.of();
        } catch (IOException | RuntimeException e) {
            LOG.error("observations cannot be written to {}", location, e);
            return List.of("observations cannot be written to %s (%s)".formatted(location, e));
        }
    }

    /** @param names oldest first */
    private static int nextNumber(List<String> names) {
        return names.isEmpty() ? 1 : 1 + number(names.get(names.size() - 1));
    }

    private static int number(String name) {
        Matcher parts = NUMBERED.matcher(name);
        return parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    }

    @Override
    public synchronized List<String> save(ModelVersion version) {
        try {
            StoreDirectory directory = opener.open(location);
            write(directory, NAME.formatted(version.number()), ModelJson.write(version));
            List<String> models = named(directory, MODEL);
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
