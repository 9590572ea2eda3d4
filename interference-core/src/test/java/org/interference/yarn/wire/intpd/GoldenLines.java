package org.interference.yarn.wire.intpd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The protocol's examples, which the daemon's own tests read from the same files. */
final class GoldenLines {
    private static final Path DIRECTORY = Path.of("..", "intp-collector", "wire", "golden");

    private GoldenLines() {}

    static List<byte[]> of(String file) throws IOException {
        return Files.readAllLines(DIRECTORY.resolve(file)).stream()
                .filter(line -> !line.isBlank())
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
