package org.interference.yarn.place;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.config.NamedValues;

/**
 * A setting that queues have, and the queues below them until one has its own. Immutable.
 *
 * @param values by the full path of the queue
 */
public record ByQueue<T>(Map<String, T> values) {
    private static final String ROOT = "root";
    private static final Pattern PATH = Pattern.compile("root(\\.[^.=,\\s]+)*");

    public ByQueue {
        values = Map.copyOf(values);
    }

    /** Returns a setting that no queue has. */
    public static <T> ByQueue<T> none() {
        return new ByQueue<>(Map.of());
    }

    /**
     * Returns the value of the most specific queue on the way from {@code queue} to the root that has one.
     *
     * @param queue its full path; of any other text no more is known than that it is below the root
     */
    public T of(String queue, T otherwise) {
        if (values.isEmpty()) {
            return otherwise;
        }
        for (String path = queue; ; path = path.substring(0, path.lastIndexOf('.'))) {
            T value = values.get(path);
            if (value != null) {
                return value;
            }
            if (path.indexOf('.') < 0) {
                return values.getOrDefault(ROOT, otherwise);
            }
        }
    }

    /**
     * Returns a key for such a setting, written as {@code root.a=1,root.b.c=2}; by default no queue has any.
     *
     * @param rule what a value must be
     */
    public static <T> ConfigKey<ByQueue<T>> key(String name, Function<String, T> value, String rule, String doc) {
        return new ConfigKey<>(
                name,
                "",
                raw -> new ByQueue<>(NamedValues.parse(raw, PATH, value)),
                parsed -> true,
                "a list like root.a=VALUE,root.a.b=VALUE of full queue paths, each of them once, VALUE being " + rule,
                doc);
    }

    /** Returns whether {@code key} is of such a setting, whose values name queues. */
    public static boolean isOf(ConfigKey<?> key) {
        return key.parser().apply(key.fallback()) instanceof ByQueue;
    }

    /** Returns such a setting as it is written, with only those queues. */
    public static String only(String raw, Predicate<String> queues) {
        return Arrays.stream(raw.split(",", -1))
                .filter(pair -> !pair.isBlank() && queues.test(pair.split("=", 2)[0].strip()))
                .collect(Collectors.joining(","));
    }
}
