package org.interference.yarn.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.rest.Control;

/**
 * The settings in force: what the files said when they were last read, and what was changed since. Reading the files again takes
 * back every change, so that they are the way back. Thread-safe.
 */
final class LiveSettings {
    private static final String MODE = "yarn.interference.place.mode";
    private static final String QUEUE_MODES = "yarn.interference.place.queue-modes";

    private final Placement placement;
    /** By the name of a setting; null for one that no file has. */
    private Function<String, String> files;

    private Map<String, String> changes = Map.of();

    LiveSettings(Placement placement, Function<String, String> files) {
        this.placement = placement;
        this.files = files;
    }

    /**
     * Takes what the files say now.
     *
     * @throws org.interference.yarn.config.ConfigException if a setting breaks its rule; then nothing has changed
     */
    synchronized void reread(Function<String, String> read) {
        placement.refresh(PlaceSettings.from((name, fallback) -> value(read, Map.of(), name, fallback)));
        files = read;
        changes = Map.of();
    }

    /** As {@link Control#change}. */
    synchronized void change(Map<String, String> values) {
        for (String name : values.keySet()) {
            if (PlaceSettings.KEYS.stream().noneMatch(key -> key.name().equals(name))) {
                throw new IllegalArgumentException(
                        keys().anyMatch(key -> key.name().equals(name))
                                ? name + " cannot change while the ResourceManager runs"
                                : "there is no setting '%s'".formatted(name));
            }
        }
        Map<String, String> next = new LinkedHashMap<>(changes);
        next.putAll(values);
        PlaceSettings settings = PlaceSettings.from((name, fallback) -> value(files, next, name, fallback));
        placement.refresh(settings);
        changes = Map.copyOf(next);
    }

    /** As {@link Control#switchTo}. */
    synchronized void switchTo(Mode mode, Optional<String> queue) {
        String name = queue.isPresent() ? QUEUE_MODES : MODE;
        String value = mode.name().toLowerCase(Locale.ROOT);
        if (queue.isPresent()) {
            String path = queue.get().strip();
            if (path.contains("=") || path.contains(",")) {
                throw new IllegalArgumentException(
                        "'%s' is no path of one queue, as in %s".formatted(path, QUEUE_MODES));
            }
            value = Stream.concat(
                            Stream.of(value(files, changes, QUEUE_MODES, "").split(",", -1))
                                    .map(String::strip)
                                    .filter(pair -> !pair.isEmpty()
                                            && !pair.substring(0, pair.indexOf('='))
                                                    .strip()
                                                    .equals(path)),
                            Stream.of(path + "=" + value))
                    .collect(Collectors.joining(","));
        }
        change(Map.of(name, value));
    }

    synchronized List<Control.Setting> settings() {
        List<Control.Setting> settings = new ArrayList<>();
        keys().forEach(key -> settings.add(new Control.Setting(
                key,
                value(files, changes, key.name(), key.fallback()),
                PlaceSettings.KEYS.contains(key),
                changes.containsKey(key.name()))));
        return settings;
    }

    private static Stream<ConfigKey<?>> keys() {
        return Stream.of(PlaceSettings.KEYS, PredictSettings.KEYS, ProfileSettings.KEYS, IngestSettings.KEYS)
                .flatMap(List::stream);
    }

    private static String value(
            Function<String, String> files, Map<String, String> changes, String name, String fallback) {
        String changed = changes.get(name);
        String read = changed == null ? files.apply(name) : changed;
        return read == null ? fallback : read;
    }
}
