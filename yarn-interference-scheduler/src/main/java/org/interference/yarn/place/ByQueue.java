package org.interference.yarn.place;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.interference.yarn.config.ConfigKey;

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
                raw -> parse(raw, value),
                parsed -> true,
                "a list like root.a=VALUE,root.a.b=VALUE of full queue paths, each of them once, VALUE being " + rule,
                doc);
    }

    /** Returns such a setting as it is written, with only those queues. */
    public static String only(String raw, Predicate<String> queues) {
        return Arrays.stream(raw.split(",", -1))
                .filter(pair -> !pair.isBlank() && queues.test(pair.split("=", 2)[0].strip()))
                .collect(Collectors.joining(","));
    }

    private static <T> ByQueue<T> parse(String raw, Function<String, T> value) {
        Map<String, T> values = new LinkedHashMap<>();
        if (raw.isBlank()) {
            return none();
        }
        Arrays.stream(raw.split(",", -1)).forEach(pair -> {
            String[] sides = pair.split("=", -1);
            String queue = sides[0].strip();
            if (sides.length != 2 || !PATH.matcher(queue).matches()) {
                throw new IllegalArgumentException("not a queue path and its value: " + pair);
            }
            if (values.put(queue, value.apply(sides[1].strip())) != null) {
                throw new IllegalArgumentException("twice: " + queue);
            }
        });
        return new ByQueue<>(values);
    }
}
