package org.interference.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;

/**
 * Runs the {@code *Interleavings} classes, in which two threads meet at one object, in JVMs of their own: jcstress lets them meet as often
 * as the time allows, and fails on any result that a test does not expect.
 *
 * <p>System properties: {@code interleavings.millis} for each of them, and {@code interleavings.file}, which gets how often the threads met
 * at each class, as JSON.
 */
class InterleavingsTest {
    private static final List<String> CLASSES = List.of(
            "Commits", "DecisionLog", "FinishedTasks", "Ledger", "LiveSettings", "Mailbox", "Matching", "Traffic");
    /** A test's verdict and name, as in {@code ..... [OK] org.interference.yarn.place.LedgerInterleavings.PlacedTwice}. */
    private static final Pattern NAME = Pattern.compile("\\.+ \\[(\\w+)] .*\\.(\\w+)Interleavings\\.\\w+");
    /** A result and how often there was it. */
    private static final Pattern SAMPLES = Pattern.compile(".* ([\\d,]+) +[<>]?[\\d.]+% +(Acceptable|Forbidden) .*");

    @Test
    void noResultIsUnexpectedHoweverTwoThreadsMeet() throws Exception {
        Path directory = Files.createDirectories(Path.of("target", "interleavings"));
        Path output = directory.resolve("output.txt");
        int status = run(directory, output);
        Map<String, Long> met = met(output);
        String file = System.getProperty("interleavings.file", "");
        if (!file.isEmpty()) {
            Files.writeString(Path.of(file), json(met));
        }
        assertThat(status).as("the exit status; %s says what was seen", output).isZero();
        assertThat(met.keySet()).containsExactlyElementsOf(CLASSES);
        assertThat(met).allSatisfy((name, times) -> assertThat(times).isPositive());
    }

    private static int run(Path directory, Path output) throws IOException, InterruptedException {
        Process jcstress = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "-v",
                        // One kind of JVM, one way to compile: the code under test has locks and concurrent maps, no
                        // bare fields.
                        "-sc",
                        "false",
                        "-jvmArgs",
                        "-Xmx256m",
                        "-f",
                        "1",
                        "-iters",
                        "1",
                        "-spinStyle",
                        "THREAD_YIELD",
                        "-time",
                        System.getProperty("interleavings.millis", "100"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(jcstress.waitFor(20, TimeUnit.MINUTES)).isTrue();
            return jcstress.exitValue();
        } finally {
            jcstress.destroyForcibly();
        }
    }

    /** Returns how often two threads met at each class, the test with the fewest. */
    private static Map<String, Long> met(Path output) throws IOException {
        Map<String, Long> byTest = new TreeMap<>();
        Map<String, String> classes = new TreeMap<>();
        boolean results = false;
        String test = "";
        for (String line : Files.readAllLines(output)) {
            results |= line.equals("RUN RESULTS:");
            Matcher name = NAME.matcher(line);
            Matcher samples = SAMPLES.matcher(line);
            if (results && name.matches()) {
                test = line;
                classes.put(test, name.group(2));
            } else if (results && samples.matches()) {
                byTest.merge(test, Long.parseLong(samples.group(1).replace(",", "")), Long::sum);
            }
        }
        return byTest.entrySet().stream()
                .collect(Collectors.toMap(
                        each -> classes.get(each.getKey()), Map.Entry::getValue, Math::min, TreeMap::new));
    }

    private static String json(Map<String, Long> met) {
        return met.entrySet().stream()
                .map(each -> "  \"%s\": %d".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    }
}
