package org.interference.yarn.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Values that things have by their names, as one setting writes them: {@code a=1,b=2}. Stateless. */
public final class NamedValues {
    private NamedValues() {}

    /**
     * Returns the values by name, in the order in which they are written; none of a blank text.
     *
     * @param names what a name must match
     * @param value makes a value of what is written
     * @throws RuntimeException if a name is none or is there twice, or what {@code value} throws
     */
    public static <T> Map<String, T> parse(String raw, Pattern names, Function<String, T> value) {
        Map<String, T> values = new LinkedHashMap<>();
        if (raw.isBlank()) {
            return values;
        }
        for (String pair : raw.split(",", -1)) {
            String[] sides = pair.split("=", -1);
            String name = sides[0].strip();
            if (sides.length != 2 || !names.matcher(name).matches()) {
                throw new IllegalArgumentException("not a name and its value: " + pair);
            }
            if (values.put(name, value.apply(sides[1].strip())) != null) {
                throw new IllegalArgumentException("twice: " + name);
            }
        }
        return values;
    }
}
