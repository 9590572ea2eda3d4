package org.interference.yarn.place;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.interference.yarn.config.ConfigException;

/** Whatever an administrator writes into a setting it is refused in a sentence or taken, and whatever a user tags is wished or ignored. */
public final class SettingsAndTagsFuzz {
    private SettingsAndTagsFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
        Wishes.of(lines);
        for (int i = 0; i + 1 < lines.size(); i += 2) {
            String name = lines.get(i);
            String value = lines.get(i + 1);
            try {
                PlaceSettings.from((asked, fallback) -> asked.equals(name) ? value : fallback);
            } catch (ConfigException e) {
                // Refused.
            }
        }
    }
}
