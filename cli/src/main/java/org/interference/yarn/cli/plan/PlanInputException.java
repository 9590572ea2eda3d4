package org.interference.yarn.cli.plan;

/** What was asked for cannot be planned; the message is one sentence for whoever asked. */
public final class PlanInputException extends Exception {
    private static final long serialVersionUID = 1L;

    PlanInputException(String message) {
        super(message);
    }

    PlanInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
