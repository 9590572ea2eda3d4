package org.interference.yarn.nm.attribute;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whatever a tenant's launch command is, it has a short identity or none. */
public final class LaunchCommandFuzz {
    private static final int LONGEST = 1000;

    private LaunchCommandFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        String commands = new String(bytes, StandardCharsets.UTF_8);
        LaunchIdentity.of(List.of(commands.split("\0", -1))).ifPresent(identity -> {
            if (identity.canonical().length() > LONGEST) {
                throw new AssertionError(
                        "an identity of " + identity.canonical().length() + " characters");
            }
        });
    }
}
