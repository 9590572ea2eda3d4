package org.interference.yarn.sim.command;

/** What was asked for cannot be done; the message is one sentence for whoever asked. */
final class BadInputException extends Exception {
    private static final long serialVersionUID = 1L;

    BadInputException(String message) {
        super(message);
    }

    BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
