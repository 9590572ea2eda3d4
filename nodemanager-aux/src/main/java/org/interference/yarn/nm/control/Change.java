package org.interference.yarn.nm.control;

import java.util.Optional;
import java.util.OptionalLong;

/** One thing to change about one container, and why. */
public sealed interface Change {
    String container();

    String reason();

    /** Which CPUs it may use; empty gives it back all. */
    record Cores(String container, Optional<CoreSet> cores, String reason) implements Change {}

    /** How many bytes a second it may read of each disk, and write to it; empty takes the limit away. */
    record Disk(String container, OptionalLong bytesPerSecond, String reason) implements Change {}
}
