package org.interference.yarn.wire;

import org.interference.yarn.signal.NodeReport;

/** What bytes from a heartbeat turned out to be. */
public sealed interface Decoded {
    /** A report that obeys every rule of the format. */
    record Accepted(NodeReport report) implements Decoded {}

    /** Bytes that are not used, and why. */
    record Rejected(Rejection rejection, String detail) implements Decoded {}

    /** Why bytes are not used; also the name of the counter. */
    enum Rejection {
        MALFORMED,
        OVERSIZED,
        UNKNOWN_VERSION
    }
}
