package org.interference.yarn.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileSettings;

/**
 * All settings as the plugin starts with them. A wrong one is as if it were not there, the others are as they are written, and nothing is
 * placed by them: every queue is off (ADR-0028).
 *
 * @param wrong sentences about wrong settings, by name
 */
record StartSettings(
        IngestSettings ingest,
        ProfileSettings profile,
        PredictSettings predict,
        PlaceSettings place,
        Map<String, String> wrong) {

    StartSettings {
        wrong = Map.copyOf(wrong);
    }

    /** Reads them; {@code lookup} as in {@link ConfigKey#read}. Never throws for a wrong one. */
    static StartSettings from(BinaryOperator<String> lookup) {
        try {
            return read(lookup, Map.of());
        } catch (ConfigException e) {
            Map<String, String> wrong = wrong(lookup);
            Map<String, String> off = LiveSettings.allOff();
            return read(
                    (name, fallback) -> off.containsKey(name)
                            ? off.get(name)
                            : wrong.containsKey(name) ? fallback : lookup.apply(name, fallback),
                    wrong);
        }
    }

    private static StartSettings read(BinaryOperator<String> lookup, Map<String, String> wrong) {
        return new StartSettings(
                IngestSettings.from(lookup),
                ProfileSettings.from(lookup),
                PredictSettings.from(lookup),
                PlaceSettings.from(lookup),
                wrong);
    }

    private static Map<String, String> wrong(BinaryOperator<String> lookup) {
        Map<String, String> wrong = new TreeMap<>();
        LiveSettings.keys().forEach(key -> {
            try {
                key.read(lookup);
            } catch (ConfigException e) {
                wrong.put(key.name(), e.getMessage());
            }
        });
        return wrong;
    }

    /** Returns what is wrong with settings that are read once: only a restart mends it. */
    Optional<String> wrongUntilRestart() {
        return sentence(LiveSettings.keys().filter(key -> !PlaceSettings.KEYS.contains(key)));
    }

    /** Returns what is wrong with settings that {@code yarn rmadmin -refreshQueues} reads again. */
    Optional<String> wrongUntilRefresh() {
        return sentence(PlaceSettings.KEYS.stream());
    }

    /** Returns what is wrong with the settings of the store: then neither its place nor its bounds are known, and it is left alone. */
    Optional<String> wrongOfStore() {
        return sentence(ProfileSettings.KEYS.stream());
    }

    private Optional<String> sentence(Stream<ConfigKey<?>> keys) {
        List<String> found = new ArrayList<>();
        keys.map(ConfigKey::name).sorted().map(wrong::get).forEach(sentence -> {
            if (sentence != null) {
                found.add(sentence);
            }
        });
        return found.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", found));
    }
}
