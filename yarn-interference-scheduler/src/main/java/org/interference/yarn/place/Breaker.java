package org.interference.yarn.place;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Opens for good after a number of errors, and says why. Thread-safe. */
final class Breaker {
    private final int errorsAllowed;
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicReference<String> reason = new AtomicReference<>();

    /** @param errorsAllowed the error with this number opens the breaker */
    Breaker(int errorsAllowed) {
        this.errorsAllowed = errorsAllowed;
    }

    void error(Throwable error) {
        if (errors.incrementAndGet() == errorsAllowed) {
            reason.set("%d errors, the last: %s".formatted(errorsAllowed, error));
        }
    }

    int errors() {
        return errors.get();
    }

    /** Returns why the breaker is open; empty while it is closed. */
    Optional<String> open() {
        return Optional.ofNullable(reason.get());
    }
}
