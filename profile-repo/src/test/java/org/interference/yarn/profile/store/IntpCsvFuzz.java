package org.interference.yarn.profile.store;

import java.nio.charset.StandardCharsets;

/** Whatever CSV somebody brings, it is read, or refused with the line's number. */
public final class IntpCsvFuzz {
    private IntpCsvFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            IntpCsv.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            if (!e.getMessage().startsWith("line ")) {
                throw e;
            }
        }
    }
}
