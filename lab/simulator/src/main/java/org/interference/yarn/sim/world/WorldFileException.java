package org.interference.yarn.sim.world;

/** A file that describes no world; the message is one sentence for whoever gave it, with the file, the key and what is expected. */
public final class WorldFileException extends Exception {
    private static final long serialVersionUID = 1L;

    WorldFileException(String message) {
        super(message);
    }

    WorldFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
