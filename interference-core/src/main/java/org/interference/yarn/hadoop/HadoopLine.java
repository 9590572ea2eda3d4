package org.interference.yarn.hadoop;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A line of Hadoop's releases in which the plugin runs, older ones first. */
public enum HadoopLine {
    V3_3("3.3"),
    V3_4("3.4"),
    V3_5("3.5");

    /** Vendors go on behind it as they like: 3.4.2-amzn-2, 3.4.2.7.3.3.0-56. */
    private static final Pattern VERSION = Pattern.compile("(\\d{1,9}\\.\\d{1,9})([.-].*)?");

    private final String prefix;

    HadoopLine(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the line of a version as Hadoop tells it, empty if the plugin does not run there. */
    public static Optional<HadoopLine> of(String version) {
        Matcher parts = VERSION.matcher(version);
        return Arrays.stream(values())
                .filter(line -> parts.matches() && parts.group(1).equals(line.prefix))
                .findFirst();
    }

    /**
     * Returns the line of a version as Hadoop tells it.
     *
     * @throws UnsupportedHadoopException if the plugin does not run there
     */
    public static HadoopLine require(String version) {
        return of(version)
                .orElseThrow(() -> new UnsupportedHadoopException(
                        "this is Hadoop %s, but the interference plugin is for Hadoop %s".formatted(version, names())));
    }

    private static String names() {
        return Arrays.stream(values()).map(line -> line.prefix).collect(Collectors.joining(", "));
    }

    public boolean isBefore(HadoopLine other) {
        return compareTo(other) < 0;
    }
}
