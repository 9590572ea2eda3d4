package org.interference.yarn.wire.intpd;

import java.util.Objects;
import java.util.Optional;

/**
 * Whether a daemon counts a signal on its machine.
 *
 * @param source that counts it, or that would
 * @param reason why it is not counted; empty where it is
 */
public record IntpdAbility(String source, Optional<String> reason) {
    public IntpdAbility {
        Objects.requireNonNull(source, "source is null");
        Objects.requireNonNull(reason, "reason is null");
    }
}
