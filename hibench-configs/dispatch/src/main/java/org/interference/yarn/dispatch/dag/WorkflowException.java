package org.interference.yarn.dispatch.dag;

/** A workflow that cannot be run; the message is one sentence about the line. */
public final class WorkflowException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 40;

    private final int line;

    /**
     * Says what is wrong where.
     *
     * @param line of the Makeflow file, from 1
     */
    public WorkflowException(int line, String sentence) {
        super(sentence);
        this.line = line;
    }

    public int line() {
        return line;
    }

    /** Returns a piece of the file as a sentence shows it. */
    static String shown(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() > SHOWN ? printable.substring(0, SHOWN) + "..." : printable;
    }
}
