package org.interference.yarn.demo;

/** An application of the demo did not succeed. */
final class ApplicationFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    ApplicationFailedException(String message) {
        super(message);
    }
}
