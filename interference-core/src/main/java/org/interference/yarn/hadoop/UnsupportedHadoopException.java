package org.interference.yarn.hadoop;

/** A Hadoop in which the plugin does not run; the message says so in one sentence. It has no stack trace: nobody looks for its cause. */
public final class UnsupportedHadoopException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnsupportedHadoopException(String message) {
        super(message, null, false, false);
    }
}
