package org.interference.yarn.nm.app;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.attribute.LaunchIdentity;
import org.interference.yarn.signal.LaunchSignature;

/** Hashes what containers were launched as, the one thing about a command line that leaves the node (ADR-0009). */
final class LaunchSignatures {
    private LaunchSignatures() {}

    /** Returns the signature of a container with these launch commands; empty if they name no program. Never throws. */
    static Optional<LaunchSignature> of(List<String> commands) {
        try {
            return LaunchIdentity.of(commands).map(LaunchSignatures::of);
        } catch (RuntimeException e) {
            // Whatever a user launches, it must not cost the node its report.
            return Optional.empty();
        }
    }

    /** Returns the first 8 bytes of the SHA-256 of the canonical text in UTF-8, the first byte the most significant. */
    static LaunchSignature of(LaunchIdentity identity) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(identity.canonical().getBytes(StandardCharsets.UTF_8));
            return new LaunchSignature(ByteBuffer.wrap(digest).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
