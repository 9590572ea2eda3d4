package org.interference.yarn.plan;

/** What was asked for cannot be planned; the message is one sentence for whoever asked. */
public final class PlanException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public PlanException(String message) {
        super(message);
    }

    public PlanException(String message, Throwable cause) {
        super(message, cause);
    }
}
