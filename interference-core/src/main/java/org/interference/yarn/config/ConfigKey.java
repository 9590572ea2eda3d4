package org.interference.yarn.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One documented setting. The default is written as an operator would write it, and passes the same checks.
 *
 * @param rule what a value must be, to follow "must be" in the sentence that refuses another one
 */
public record ConfigKey<T>(
        String name, String fallback, Function<String, T> parser, Predicate<T> allowed, String rule, String doc) {

    /**
     * Reads this key.
     *
     * @param lookup takes the key's name and its default and answers the setting; for Hadoop, {@code conf::get}
     * @throws ConfigException if the setting breaks the rule
     */
    public T read(BinaryOperator<String> lookup) {
        String raw = Objects.requireNonNullElse(lookup.apply(name, fallback), fallback)
                .strip();
        T value;
        try {
            value = parser.apply(raw);
        } catch (RuntimeException e) {
            throw new ConfigException(this, raw, e);
        }
        if (!allowed.test(value)) {
            throw new ConfigException(this, raw, null);
        }
        return value;
    }

    /** Returns a key for a whole number of milliseconds. */
    public static ConfigKey<Duration> millis(String name, Duration fallback, Duration atLeast, String doc) {
        return new ConfigKey<>(
                name,
                Long.toString(fallback.toMillis()),
                raw -> Duration.ofMillis(Long.parseLong(raw)),
                value -> value.compareTo(atLeast) >= 0,
                "a whole number of milliseconds, at least " + atLeast.toMillis(),
                doc);
    }

    /** Returns a key for a duration in milliseconds in a closed range. */
    public static ConfigKey<Duration> millis(
            String name, Duration fallback, Duration atLeast, Duration atMost, String doc) {
        return new ConfigKey<>(
                name,
                Long.toString(fallback.toMillis()),
                raw -> Duration.ofMillis(Long.parseLong(raw)),
                value -> value.compareTo(atLeast) >= 0 && value.compareTo(atMost) <= 0,
                "a whole number of milliseconds from %d to %d".formatted(atLeast.toMillis(), atMost.toMillis()),
                doc);
    }

    /** Returns a key for a whole number. */
    public static ConfigKey<Integer> integer(String name, int fallback, int atLeast, int atMost, String doc) {
        return new ConfigKey<>(
                name,
                Integer.toString(fallback),
                Integer::valueOf,
                value -> value >= atLeast && value <= atMost,
                "a whole number from %d to %d".formatted(atLeast, atMost),
                doc);
    }

    /** Returns a key for a number in a closed range. */
    public static ConfigKey<Double> number(String name, double fallback, double atLeast, double atMost, String doc) {
        return new ConfigKey<>(
                name,
                Double.toString(fallback),
                Double::valueOf,
                value -> value >= atLeast && value <= atMost,
                "a number from %s to %s".formatted(atLeast, atMost),
                doc);
    }

    /** Returns a key for text that is not empty. */
    public static ConfigKey<String> text(String name, String fallback, String rule, String doc) {
        return new ConfigKey<>(name, fallback, Function.identity(), value -> !value.isEmpty(), rule, doc);
    }

    /** Returns a key for one of an enum's constants, written in lower case. */
    public static <E extends Enum<E>> ConfigKey<E> oneOf(String name, Class<E> type, E fallback, String doc) {
        String choices =
                Arrays.stream(type.getEnumConstants()).map(ConfigKey::lowerCase).collect(Collectors.joining(", "));
        return new ConfigKey<>(
                name,
                lowerCase(fallback),
                raw -> Enum.valueOf(type, raw.toUpperCase(Locale.ROOT)),
                value -> true,
                "one of " + choices,
                doc);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
