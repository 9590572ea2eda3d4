package org.interference.yarn.nm.folders;

import java.io.IOException;

/** A container's folders do not tell it; the message says why, and names no container, because equal reasons travel once. */
final class UntoldException extends IOException {
    private static final long serialVersionUID = 1;

    UntoldException(String reason) {
        super(reason);
    }
}
