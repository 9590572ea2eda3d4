package org.interference.yarn.rest;

import javax.ws.rs.core.Response;

/** A request that is refused; the message says why, in one sentence for whoever asked. It has no stack trace: nobody looks for its cause. */
final class RequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    RequestException(Response.Status status, String message) {
        this(status.getStatusCode(), message);
    }

    /** @param status also one that JAX-RS 1 has no name for */
    RequestException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    static RequestException bad(String why) {
        return new RequestException(Response.Status.BAD_REQUEST, why);
    }

    static RequestException notFound(String what) {
        return new RequestException(Response.Status.NOT_FOUND, what);
    }

    int status() {
        return status;
    }
}
