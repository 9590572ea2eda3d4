package org.interference.yarn.config;

/** A setting that breaks its rule; the message says which, what it is, what it must be, and its default. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(ConfigKey<?> key, String raw, Throwable cause) {
        super("%s is '%s' but must be %s (default: %s)".formatted(key.name(), raw, key.rule(), key.fallback()), cause);
    }
}
