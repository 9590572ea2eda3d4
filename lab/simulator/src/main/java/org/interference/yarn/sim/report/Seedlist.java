package org.interference.yarn.sim.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The seeds of the test: a file with one number a line, which {@code bin/lab simulation} draws by the commit that it measures. */
final class Seedlist {
    private Seedlist() {}

    static List<Long> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank())
                .map(String::strip)
                .map(Long::valueOf)
                .toList();
    }
}
