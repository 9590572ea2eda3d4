package org.interference.yarn.rest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What somebody may see. */
interface Viewer {
    /** Sees everything. */
    Viewer OF_ALL = new Viewer() {
        @Override
        public boolean mayView(String application) {
            return true;
        }

        @Override
        public boolean mayViewAll() {
            return true;
        }
    };

    /** Returns whether this application's containers are shown with their names. */
    boolean mayView(String application);

    /** Returns whether the names of kinds of task are shown, which any application may have left behind. */
    boolean mayViewAll();

    /** Returns {@code key}, or what stands for it. */
    default String key(String key) {
        if (mayViewAll()) {
            return key;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return "kind-" + HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
