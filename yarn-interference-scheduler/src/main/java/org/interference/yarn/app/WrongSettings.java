package org.interference.yarn.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.place.ByQueue;

/** Settings that break their rules, by name. Immutable. */
record WrongSettings(List<Wrong> all) {
    static final WrongSettings NONE = new WrongSettings(List.of());

    WrongSettings {
        all = List.copyOf(all);
    }

    /** @param sentence says what the setting is and what it must be */
    record Wrong(ConfigKey<?> key, String sentence) {}

    /** Reads {@code keys}; {@code lookup} as in {@link ConfigKey#read}. */
    static WrongSettings among(Stream<ConfigKey<?>> keys, BinaryOperator<String> lookup) {
        List<Wrong> wrong = new ArrayList<>();
        keys.sorted(Comparator.comparing(ConfigKey::name)).forEach(key -> {
            try {
                key.read(lookup);
            } catch (ConfigException e) {
                wrong.add(new Wrong(key, e.getMessage()));
            }
        });
        return new WrongSettings(wrong);
    }

    WrongSettings only(Predicate<ConfigKey<?>> keys) {
        return new WrongSettings(
                all.stream().filter(wrong -> keys.test(wrong.key())).toList());
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    boolean has(String name) {
        return all.stream().anyMatch(wrong -> wrong.key().name().equals(name));
    }

    /** Returns the whole sentences. */
    String toAdministrators() {
        return joined(Wrong::sentence);
    }

    /** Returns the sentences, without the values of settings that name queues. */
    String toAnybody() {
        return joined(wrong -> ByQueue.isOf(wrong.key())
                ? "%s is not %s".formatted(wrong.key().name(), wrong.key().rule())
                : wrong.sentence());
    }

    private String joined(Function<Wrong, String> said) {
        return all.stream().map(said).collect(Collectors.joining("; "));
    }
}
