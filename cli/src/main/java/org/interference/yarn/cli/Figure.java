package org.interference.yarn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** What the plugin's JSON says, as people read it. What is absent is a dash, never a zero. Pure. */
final class Figure {
    static final String NONE = "-";
    private static final String BYTES = " kMGTPE";
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;

    private Figure() {}

    static String text(JsonNode value) {
        // Users choose names; what steers a terminal is not among what they may.
        String text = value.isNull() ? "" : value.asText().replaceAll("\\p{Cntrl}", "?");
        return text.isEmpty() ? NONE : text;
    }

    /** A level, a slowdown or whatever else has two digits that count. */
    static String level(JsonNode value) {
        if (!value.isNumber()) {
            return NONE;
        }
        return format(Math.abs(value.doubleValue()) < 100 ? "%.2f" : "%.0f", value.doubleValue());
    }

    /** An amount of bytes, or of bytes a second, in powers of a thousand. */
    static String bytes(JsonNode value) {
        if (!value.isNumber()) {
            return NONE;
        }
        double amount = value.doubleValue();
        int power = 0;
        while (amount >= 1000 && power < BYTES.length() - 1) {
            amount /= 1000;
            power++;
        }
        return format(amount < 100 && power > 0 ? "%.1f" : "%.0f", amount)
                + (power == 0 ? " B" : " " + BYTES.charAt(power) + "B");
    }

    static String signed(JsonNode value) {
        return value.isNumber() ? format("%+.2f", value.doubleValue()) : NONE;
    }

    static String percent(JsonNode share) {
        return share.isNumber() ? format("%.0f %%", 100 * share.doubleValue()) : NONE;
    }

    static String signedPercent(JsonNode share) {
        return share.isNumber() ? format("%+.0f %%", 100 * share.doubleValue()) : NONE;
    }

    static String seconds(JsonNode value) {
        return value.isNumber() ? duration(value.doubleValue()) : NONE;
    }

    static String milliseconds(JsonNode value) {
        return value.isNumber() ? duration(value.doubleValue() / 1000) : NONE;
    }

    private static String duration(double seconds) {
        double size = Math.abs(seconds);
        if (size < 2 * MINUTE) {
            return format("%.1f s", seconds);
        }
        if (size < 2 * HOUR) {
            return format("%.0f min", seconds / MINUTE);
        }
        return size < 2 * DAY ? format("%.1f h", seconds / HOUR) : format("%.1f d", seconds / DAY);
    }

    /** Returns the container that {@code thing} is of; it may be another user's, whose names are kept back. */
    static String ofContainer(JsonNode thing) {
        return thing.path("visible").asBoolean(true) ? text(thing.path("container")) : "another user's";
    }

    /** Returns who takes something from a container: another one, or what is of none. */
    static String ofTaker(JsonNode taker) {
        return taker.path("outside").asBoolean()
                ? "what is outside of all containers"
                : taker.path("container").asText("another user's");
    }

    static String lowerCase(JsonNode constant) {
        return text(constant).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
