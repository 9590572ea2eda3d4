package org.interference.yarn.nm.app;

import java.util.OptionalLong;

/** A pid as YARN keeps it: text, which may be missing or wrong. */
final class ProcessId {
    private ProcessId() {}

    /** Returns the pid in {@code text}, which may be null; empty if it is none. */
    static OptionalLong parse(String text) {
        return text != null && text.matches("[1-9][0-9]{0,17}")
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
    }
}
