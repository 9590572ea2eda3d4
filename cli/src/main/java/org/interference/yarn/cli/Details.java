package org.interference.yarn.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is known of one thing: a name and a value on each line. */
final class Details {
    private static final int LEAST = 10;

    private record Line(String name, String value) {}

    private final List<Line> lines = new ArrayList<>();

    void add(String name, String value) {
        lines.add(new Line(name, value));
    }

    String print() {
        int width = lines.stream().mapToInt(line -> line.name().length()).max().orElse(0);
        String format = "%-" + Math.max(LEAST, width) + "s  %s";
        return lines.stream()
                .map(line -> format.formatted(line.name(), line.value()).stripTrailing() + "\n")
                .collect(Collectors.joining());
    }
}
