package org.interference.yarn.wire.intpd;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * One line of the daemon.
 *
 * @param id the request's, given back; empty if it had none or could not be read
 */
public record IntpdReply(OptionalLong id, IntpdAnswer answer) {
    public IntpdReply {
        Objects.requireNonNull(id, "id is null");
        Objects.requireNonNull(answer, "answer is null");
    }
}
