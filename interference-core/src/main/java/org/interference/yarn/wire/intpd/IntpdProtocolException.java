package org.interference.yarn.wire.intpd;

import java.io.IOException;

/** A line that is no answer in intpd's protocol; the message says in one sentence what is wrong with it. */
public final class IntpdProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    IntpdProtocolException(String message) {
        super(message);
    }

    IntpdProtocolException(String message, Throwable cause) {
        super(message, cause);
    }
}
