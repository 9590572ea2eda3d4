package org.interference.yarn.profile.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.interference.yarn.profile.Moments;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/**
 * All profiles in one JSON file, replaced as a whole by an atomic rename: a crash leaves the old file or the new one.
 *
 * <p>A file that cannot be understood is moved aside, never deleted or overwritten. Not thread-safe.
 */
public final class ProfileFile {
    private static final int SCHEMA = 1;
    private static final String NAME = "profiles.json";

    /** A field that a newer version added is not read; one that changes a meaning raises the schema. */
    private final ObjectMapper json = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Path file;

    public ProfileFile(Path directory) {
        this.file = directory.resolve(NAME);
    }

    public Path path() {
        return file;
    }

    /** What was found on disk; {@code problem} says what happened to a file that could not be understood. */
    public record Loaded(List<TaskProfile> profiles, Optional<String> problem) {}

    private record Stored(int schema, List<StoredProfile> profiles) {}

    private record StoredProfile(
            String level,
            String key,
            long samples,
            Moments runTimeSeconds,
            Map<String, Moments> signals,
            String updated) {}

    /**
     * Reads the file, or nothing if there is none yet.
     *
     * @param now names the file that a broken one is moved to
     * @throws IOException if the directory cannot be made or the file cannot be read or moved
     */
    public Loaded load(Instant now) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new Loaded(List.of(), Optional.empty());
        }
        try {
            Stored stored = json.readValue(bytes, Stored.class);
            if (stored.schema() != SCHEMA) {
                return movedAside(now, "schema %d, this version reads %d".formatted(stored.schema(), SCHEMA));
            }
            return new Loaded(
                    stored.profiles().stream().map(ProfileFile::profile).toList(), Optional.empty());
        } catch (JsonProcessingException
                | CharConversionException
                | IllegalArgumentException
                | NullPointerException
                | DateTimeException e) {
            return movedAside(now, String.valueOf(e.getMessage()));
        }
    }

    /** Replaces the file by one that holds exactly {@code profiles}; returns once it would survive a power cut. */
    public void save(Collection<TaskProfile> profiles) throws IOException {
        List<StoredProfile> sorted = profiles.stream()
                .sorted(Comparator.comparing(
                                (TaskProfile profile) -> profile.key().level())
                        .thenComparing(profile -> profile.key().text()))
                .map(ProfileFile::stored)
                .toList();
        byte[] bytes = json.writeValueAsBytes(new Stored(SCHEMA, sorted));
        Path next = file.resolveSibling(NAME + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private Loaded movedAside(Instant now, String why) throws IOException {
        Path aside = file.resolveSibling(NAME + ".unreadable-" + now.toEpochMilli());
        Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
        return new Loaded(
                List.of(),
                Optional.of("%s could not be read (%s); it was moved to %s and the repository starts empty"
                        .formatted(file, why, aside.getFileName())));
    }

    private static TaskProfile profile(StoredProfile stored) {
        EnumMap<Signal, Moments> signals = new EnumMap<>(Signal.class);
        // A signal of a newer version is left out: nothing here could use it.
        stored.signals()
                .forEach((name, moments) -> Signal.ofWireName(name).ifPresent(signal -> signals.put(signal, moments)));
        TaskProfile profile = new TaskProfile(
                new TaskKey(TaskKey.Level.valueOf(stored.level()), stored.key()),
                stored.samples(),
                signals,
                stored.runTimeSeconds(),
                Instant.parse(stored.updated()));
        // Refuses levels that no measurement can have.
        profile.load();
        return profile;
    }

    private static StoredProfile stored(TaskProfile profile) {
        Map<String, Moments> signals = new TreeMap<>();
        profile.signals().forEach((signal, moments) -> signals.put(signal.wireName(), moments));
        return new StoredProfile(
                profile.key().level().name(),
                profile.key().text(),
                profile.samples(),
                profile.runTimeSeconds(),
                signals,
                profile.updated().toString());
    }
}
