package org.interference.yarn.sim.workload.trace;

/** A trace that cannot be used; the message is one sentence for whoever gave it, with the file and, where known, the line. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1L;

    TraceException(String file, String problem) {
        super("%s: %s".formatted(file, problem));
    }

    TraceException(String file, String problem, Throwable cause) {
        super("%s: %s".formatted(file, problem), cause);
    }

    TraceException(String file, long line, String problem) {
        super("%s, line %d: %s".formatted(file, line, problem));
    }

    TraceException(String file, long line, String problem, Throwable cause) {
        super("%s, line %d: %s".formatted(file, line, problem), cause);
    }
}
