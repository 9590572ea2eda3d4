package org.interference.yarn.sim.world;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A value of a JSON file that knows where it stands, and says so where it is not what is expected. Immutable.
 *
 * @param file as messages call it
 * @param key with dots from the file's outermost object on; empty for that
 */
record JsonPart(String file, String key, JsonNode value) {
    private static final int LONGEST_SHOWN = 40;

    boolean has(String name) {
        return value.has(name);
    }

    /** Returns what this object has by that name. */
    JsonPart of(String name) throws WorldFileException {
        if (!value.has(name)) {
            throw new WorldFileException("%s: %s is missing".formatted(file, keyOf(name)));
        }
        return new JsonPart(file, keyOf(name), value.get(name));
    }

    private String keyOf(String name) {
        return (key.isEmpty() ? "" : key + ".") + shortened(name);
    }

    List<String> names() throws WorldFileException {
        if (!value.isObject()) {
            throw refused("an object");
        }
        List<String> names = new ArrayList<>();
        value.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Returns the names of this object, all of them among {@code known}. */
    List<String> names(Set<String> known) throws WorldFileException {
        List<String> names = names();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new WorldFileException(
                        "%s: %s is not known; known are %s".formatted(file, keyOf(name), String.join(", ", known)));
            }
        }
        return names;
    }

    List<JsonPart> elements() throws WorldFileException {
        if (!value.isArray()) {
            throw refused("a list");
        }
        List<JsonPart> elements = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            elements.add(new JsonPart(file, "%s[%d]".formatted(key, i), value.get(i)));
        }
        return elements;
    }

    double number(double least, double most) throws WorldFileException {
        if (!value.isNumber() || !(value.doubleValue() >= least && value.doubleValue() <= most)) {
            throw refused(String.format(Locale.ROOT, "a number from %s to %s", plain(least), plain(most)));
        }
        return value.doubleValue();
    }

    String text(String pattern, String expected) throws WorldFileException {
        if (!value.isTextual() || !value.textValue().matches(pattern)) {
            throw refused(expected);
        }
        return value.textValue();
    }

    WorldFileException refused(String expected) {
        return new WorldFileException("%s: %s is %s but must be %s"
                .formatted(file, key.isEmpty() ? "the whole" : key, shortened(value.toString()), expected));
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "..." : line;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
