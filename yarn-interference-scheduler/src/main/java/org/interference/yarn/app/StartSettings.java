package org.interference.yarn.app;

import java.util.Map;
import java.util.function.BinaryOperator;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.predict.PredictSettings;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.relocate.RelocationSettings;

/**
 * All settings as the plugin starts with them. A wrong one is as if it were not there, the others are as they are written, and nothing is
 * placed by them: every queue is off (ADR-0028).
 */
record StartSettings(
        IngestSettings ingest,
        ProfileSettings profile,
        PredictSettings predict,
        PlaceSettings place,
        GovernorSettings capacity,
        RelocationSettings relocation,
        WrongSettings wrong) {

    /** Reads them; {@code lookup} as in {@link ConfigKey#read}. Never throws for a wrong one. */
    static StartSettings from(BinaryOperator<String> lookup) {
        try {
            return read(lookup, WrongSettings.NONE);
        } catch (ConfigException e) {
            WrongSettings wrong = WrongSettings.among(LiveSettings.keys(), lookup);
            Map<String, String> off = LiveSettings.allOff();
            return read(
                    (name, fallback) -> off.containsKey(name)
                            ? off.get(name)
                            : wrong.has(name) ? fallback : lookup.apply(name, fallback),
                    wrong);
        }
    }

    private static StartSettings read(BinaryOperator<String> lookup, WrongSettings wrong) {
        return new StartSettings(
                IngestSettings.from(lookup),
                ProfileSettings.from(lookup),
                PredictSettings.from(lookup),
                PlaceSettings.from(lookup),
                GovernorSettings.from(lookup),
                RelocationSettings.from(lookup),
                wrong);
    }

    /** Returns what is wrong with settings that are read once: only a restart mends it. */
    WrongSettings wrongUntilRestart() {
        return wrong.only(key -> !LiveSettings.isLive(key));
    }

    /** Returns what is wrong with settings that {@code yarn rmadmin -refreshQueues} reads again. */
    WrongSettings wrongUntilRefresh() {
        return wrong.only(LiveSettings::isLive);
    }

    /** Returns what is wrong with the settings of the store: then neither its place nor its bounds are known, and it is left alone. */
    WrongSettings wrongOfStore() {
        return wrong.only(ProfileSettings.KEYS::contains);
    }
}
