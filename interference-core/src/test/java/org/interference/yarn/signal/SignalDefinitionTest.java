package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@link Signal} is the only list of signals in the tree; docs/signals.md has what it says. */
class SignalDefinitionTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<Pattern> NAMES = Signal.predictors().stream()
            .map(signal -> Pattern.compile("(?<![a-z])" + signal.wireName() + "(?![a-z])", Pattern.CASE_INSENSITIVE))
            .toList();

    /** What was built, what was measured, and tests, which state what is expected of each signal. */
    private static final Set<String> NOT_SOURCES =
            Set.of(".git", "target", "build", "test", "golden", "data", "measurements", "simulation", "node_modules");

    private static final Pattern SOURCE = Pattern.compile(".*\\.(java|[ch]|js|py|sh|awk|ya?ml|xml|md)|[^.]+");

    @Test
    void documentationHasTheDefinitionsTable() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/signals.md"))).contains(table());
    }

    private static String table() {
        return Signal.mostTellingFirst().stream()
                .map(signal -> "| `%s` | %s | %s | %s |%n"
                        .formatted(signal.wireName(), signal.meaning(), signal.unit(), signal.ratio()))
                .collect(Collectors.joining(
                        "", "| signal | what | unit of its level | `used` / `capacity` |\n|---|---|---|---|\n", ""));
    }

    /** A list that leaves one signal out is a list; one of those that slowdowns are predicted from, too. */
    @Test
    void noOtherFileListsTheSignals() throws IOException {
        List<String> lists = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(folder.getFileName().toString()) && !folder.equals(ROOT)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (SOURCE.matcher(file.getFileName().toString()).matches() && named(file) >= NAMES.size() - 1) {
                    lists.add(ROOT.relativize(file).toString());
                }
                return FileVisitResult.CONTINUE;
            }
        });

        assertThat(lists)
                .contains("interference-core/src/main/java/org/interference/yarn/signal/Signal.java", "docs/signals.md")
                .isSubsetOf(
                        "interference-core/src/main/java/org/interference/yarn/signal/Signal.java",
                        "docs/signals.md",
                        // The columns of what was measured once, which stay as they are.
                        "lab/benchmarks/corun/table.py",
                        // A source: what simulated nodes count.
                        "lab/simulator/src/main/java/org/interference/yarn/sim/engine/Node.java");
    }

    private static long named(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return NAMES.stream().filter(name -> name.matcher(text).find()).count();
    }
}
