package org.interference.yarn.signal;

import java.util.HexFormat;

/**
 * What a container was launched as, as a hash: equal for the tasks of one program, and without a way back to their
 * command line (ADR-0009). Immutable.
 *
 * @param bits any 64 bits; 0 is one hash among others
 */
public record LaunchSignature(long bits) {
    /** Returns the 16 hexadecimal digits that people read and compare. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(bits);
    }
}
