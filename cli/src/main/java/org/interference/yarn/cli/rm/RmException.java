package org.interference.yarn.cli.rm;

/** No answer, or a refusal; the message is one sentence that says what to do. */
public final class RmException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean questionsFault;

    private RmException(String message, boolean questionsFault, Throwable cause) {
        super(message, cause);
        this.questionsFault = questionsFault;
    }

    static RmException failed(String message) {
        return new RmException(message, false, null);
    }

    static RmException failed(String message, Throwable cause) {
        return new RmException(message, false, cause);
    }

    /** What was asked is wrong, whoever is asked. */
    static RmException badQuestion(String message) {
        return new RmException(message, true, null);
    }

    /** Returns whether another question would have been answered. */
    public boolean isQuestionsFault() {
        return questionsFault;
    }
}
