package org.interference.yarn.app;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.capacity.yarn.ConfiguredSizes;
import org.interference.yarn.capacity.yarn.KeptSize;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.profile.store.StoreDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configured sizes of nodes, in the newest of numbered files beside the models. A file is written whole before the one before it is deleted. Thread-safe; no method throws.
 */
final class SizeFiles implements ConfiguredSizes {
    private static final Logger LOG = LoggerFactory.getLogger(SizeFiles.class);
    private static final Pattern NAME = Pattern.compile("node-sizes-\\d{8}\\.json");
    private static final String NUMBERED = "node-sizes-%08d.json";
    private static final TypeReference<TreeMap<String, Stored>> SIZES = new TypeReference<>() {};
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    /** @param nodeSince as in {@link KeptSize}; null if nobody knows, and in files of before it was kept */
    private record Stored(
            long memoryMb,
            int vcores,
            @JsonInclude(JsonInclude.Include.NON_NULL) Long nodeSince) {
        static Stored of(KeptSize size) {
            return new Stored(
                    size.configured().memoryMb(),
                    size.configured().vcores(),
                    size.nodeSince().isPresent() ? size.nodeSince().getAsLong() : null);
        }

        KeptSize size() {
            return new KeptSize(
                    new Size(memoryMb, vcores), nodeSince == null ? OptionalLong.empty() : OptionalLong.of(nodeSince));
        }
    }

    private final String location;
    private final ProfileWriter.Opener opener;
    private final BiConsumer<String, Runnable> later;
    private final Faults faults;
    private volatile Optional<Map<String, KeptSize>> before = Optional.empty();
    private volatile Map<String, KeptSize> kept = Map.of();

    /**
     * @param location of the directory, which {@code opener} finds
     * @param later has what has that name run once {@link #load} has returned true, in place of what waits under the same name
     */
    SizeFiles(String location, ProfileWriter.Opener opener, BiConsumer<String, Runnable> later, Faults faults) {
        this.location = location;
        this.opener = opener;
        this.later = later;
        this.faults = faults;
    }

    /** Reads what an earlier life left; false if that cannot be read now. What is none is as if it were not there. */
    synchronized boolean load() {
        try {
            Map<String, KeptSize> read = Map.of();
            StoreDirectory directory = opener.open(location);
            for (String name : names(directory)) {
                read = read(directory, name).orElse(read);
            }
            kept = read;
            before = Optional.of(read);
            return true;
        } catch (IOException | RuntimeException e) {
            faults.note(Part.STORE, e);
            return false;
        }
    }

    /** Oldest first. */
    private static List<String> names(StoreDirectory directory) throws IOException {
        return directory.list().stream()
                .filter(NAME.asMatchPredicate())
                .sorted()
                .toList();
    }

    private Optional<Map<String, KeptSize>> read(StoreDirectory directory, String name) throws IOException {
        String text;
        try (InputStream in = directory.read(name)) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        try {
            Map<String, KeptSize> sizes = new HashMap<>();
            JSON.readValue(text, SIZES).forEach((node, stored) -> sizes.put(node, stored.size()));
            return Optional.of(Map.copyOf(sizes));
        } catch (JsonProcessingException | RuntimeException e) {
            LOG.error("{} of {} is not used, and will be replaced", name, location, e);
            return Optional.empty();
        }
    }

    @Override
    public Optional<Map<String, KeptSize>> before() {
        return before;
    }

    @Override
    public Map<String, KeptSize> kept() {
        return kept;
    }

    @Override
    public void keep(Map<String, KeptSize> sizes) {
        Map<String, KeptSize> whole = Map.copyOf(sizes);
        later.accept("node-sizes", () -> write(whole));
    }

    private synchronized void write(Map<String, KeptSize> sizes) {
        if (sizes.equals(kept)) {
            return;
        }
        try {
            StoreDirectory directory = opener.open(location);
            List<String> old = names(directory);
            int number = old.isEmpty() ? 1 : 1 + number(old.get(old.size() - 1));
            String unfinished = "next-%s.json".formatted(UUID.randomUUID());
            Map<String, Stored> stored = new TreeMap<>();
            sizes.forEach((node, size) -> stored.put(node, Stored.of(size)));
            byte[] bytes = JSON.writeValueAsBytes(stored);
            try (StoreDirectory.Output out = directory.create(unfinished)) {
                out.write(bytes, bytes.length);
                out.force();
            }
            directory.rename(unfinished, NUMBERED.formatted(number));
            kept = sizes;
            for (String name : old) {
                directory.delete(name);
            }
        } catch (IOException | RuntimeException e) {
            // Asked for again while it is not kept.
            faults.note(Part.STORE, e);
        }
    }

    private static int number(String name) {
        return Integer.parseInt(name.replaceAll("\\D", ""));
    }
}
