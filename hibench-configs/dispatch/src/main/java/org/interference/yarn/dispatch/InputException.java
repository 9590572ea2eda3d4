package org.interference.yarn.dispatch;

/** Input that cannot be used; the message is one sentence for whoever gave it, with the file and, where known, the line. */
final class InputException extends Exception {
    private static final long serialVersionUID = 1L;

    InputException(String sentence) {
        super(sentence);
    }

    InputException(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    static InputException at(String file, long line, String problem) {
        return new InputException("%s, line %d: %s".formatted(file, line, problem));
    }
}
