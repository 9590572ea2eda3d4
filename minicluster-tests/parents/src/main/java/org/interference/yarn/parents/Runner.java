package org.interference.yarn.parents;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs classes of YARN's tests with one variant of the scheduler, each in a JVM of its own. Not thread-safe. */
final class Runner {
    /** Hadoop's own build gives them 15 minutes. */
    static final Duration LIMIT = Duration.ofMinutes(10);

    /** What Hadoop's build opens for its tests. */
    private static final List<String> OPENED = Stream.of(
                    "java.io",
                    "java.lang",
                    "java.lang.reflect",
                    "java.math",
                    "java.net",
                    "java.text",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.zip",
                    "sun.security.util",
                    "sun.security.x509")
            .map(opened -> "--add-opens=java.base/" + opened + "=ALL-UNNAMED")
            .toList();

    /** Starts a program with a loopback device that nobody else sees: YARN's ports are fixed in many tests. */
    private static final List<String> IN_OWN_NETWORK = List.of(
            "unshare",
            "--user",
            "--map-current-user",
            "--keep-caps",
            "--net",
            "sh",
            "-c",
            "ip link set lo up && exec setpriv --ambient-caps=-all --inh-caps=-all \"$@\"",
            "sh");

    private final SchedulerVariant variant;
    /** Laid out as a module of Hadoop's source tree, as its tests expect of their working directory. */
    private final Path module;

    private final Path logs;
    private final String classPath;
    private final boolean ownNetwork;

    /**
     * Unpacks the tests.
     *
     * @param work a directory for the variant alone
     * @param classPath where the tests jar, and all that it needs, are
     * @param ownNetwork whether each JVM is kept from meeting others at the same ports; wants user namespaces
     */
    Runner(SchedulerVariant variant, Path work, String classPath, boolean ownNetwork) throws IOException {
        this.variant = variant;
        this.ownNetwork = ownNetwork;
        this.module = work.toAbsolutePath().resolve("module");
        this.logs = work.toAbsolutePath().resolve("logs");
        delete(module);
        Path tests = module.resolve("target/test-classes");
        TestsJar.on(classPath).unpack(tests, variant, module.resolve("target/scratch"));
        Files.createDirectories(logs);
        this.classPath = tests + File.pathSeparator + TestsJar.without(classPath);
    }

    /** Runs a class; if something fails, all of it is run again, twice at most. */
    TestResult run(String className) throws IOException, InterruptedException {
        return again(className, once(className));
    }

    /** Runs a class, once. */
    TestResult once(String className) throws IOException, InterruptedException {
        return timed(className, log -> runOnce(className, log));
    }

    /**
     * Runs the class again until what failed in {@code before} passes or has been run three times in all. All of the class: a test by itself is the first in
     * its JVM, and needs a part of its time limit for loading classes.
     */
    TestResult again(String className, TestResult before) throws IOException, InterruptedException {
        if (before.isFinal()) {
            return before;
        }
        return timed(className, log -> {
                    Map<String, TestOutcome> outcomes = byId(before.outcomes());
                    for (List<TestOutcome> failed = before.toRepeat(); !failed.isEmpty(); ) {
                        Map<String, TestOutcome> next = byId(runOnce(className, log));
                        for (TestOutcome last : failed) {
                            outcomes.put(
                                    last.id(),
                                    next.getOrDefault(last.id(), last).afterAttempts(last.attempts() + 1));
                        }
                        failed = TestResult.toRepeat(outcomes.values());
                    }
                    return outcomes.values();
                })
                .after(before);
    }

    /** What makes outcomes, and writes a log. */
    private interface Work {
        Collection<TestOutcome> outcomes(Path log) throws IOException, InterruptedException;
    }

    private TestResult timed(String className, Work work) throws IOException, InterruptedException {
        Path log = logs.resolve(className + ".log");
        Files.deleteIfExists(log);
        long began = System.nanoTime();
        Collection<TestOutcome> outcomes = byId(work.outcomes(log)).values();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        return new TestResult(
                lines(log, "interference-aware placement runs in mode " + variant.name()),
                lines(log, " ERROR .* org\\.interference\\."),
                seconds,
                List.copyOf(outcomes));
    }

    private static Map<String, TestOutcome> byId(Collection<TestOutcome> outcomes) {
        return outcomes.stream()
                .collect(Collectors.toMap(
                        TestOutcome::id, Function.identity(), (first, second) -> second, LinkedHashMap::new));
    }

    private List<TestOutcome> runOnce(String className, Path log) throws IOException, InterruptedException {
        Path scratch = module.resolve("target/scratch");
        delete(scratch);
        // Hadoop's build makes it before the tests.
        Files.createDirectories(scratch.resolve("data"));
        Path output = scratch.resolve("outcomes.tsv");
        List<String> command = new ArrayList<>(ownNetwork ? IN_OWN_NETWORK : List.of());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx2g", "-Xss4m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(OPENED);
        command.addAll(List.of(
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.security.egd=file:///dev/urandom",
                "-Djava.io.tmpdir=" + scratch,
                "-Djava.security.krb5.conf=" + module.resolve("target/test-classes/krb5.conf"),
                // Also below which the plugin keeps its profiles.
                "-Dhadoop.tmp.dir=" + scratch.resolve("hadoop"),
                "-Dhadoop.log.dir=" + scratch.resolve("log"),
                "-Dtest.build.dir=" + module.resolve("target/test-dir"),
                "-Dtest.build.data=" + scratch.resolve("data"),
                "-Dtest.build.classes=" + module.resolve("target/test-classes"),
                "-cp",
                classPath,
                InOwnJvm.class.getName(),
                output.toString(),
                className));
        Files.createDirectories(module.resolve("target/test-dir"));
        Process process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.exists(output) ? Files.readAllLines(output) : List.of();
        String why = ended ? "its JVM ended itself" : "not finished after " + LIMIT.toMinutes() + " minutes";
        return outcomes(className, lines, why);
    }

    /** Reads what the JVM wrote; {@code cutShort} says why it did not write all, if so. */
    private static List<TestOutcome> outcomes(String className, List<String> lines, String cutShort) {
        List<TestOutcome> outcomes = new ArrayList<>();
        Map<String, String> running = new LinkedHashMap<>();
        for (String line : lines) {
            if (line.startsWith(InOwnJvm.BEGAN)) {
                String[] fields = line.split("\t", -1);
                running.put(fields[1], fields[2]);
            } else if (!line.equals(InOwnJvm.DONE)) {
                TestOutcome outcome = TestOutcome.fromLine(line);
                running.remove(outcome.id());
                outcomes.add(outcome);
            }
        }
        if (!lines.contains(InOwnJvm.DONE)) {
            if (running.isEmpty()) {
                running.put("[engine:junit-jupiter]/[class:" + className + "]", "(class)");
            }
            running.forEach(
                    (id, test) -> outcomes.add(new TestOutcome(id, test, TestOutcome.Status.HUNG, 1, cutShort)));
        }
        return outcomes;
    }

    private static int lines(Path log, String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return (int) lines.filter(line -> wanted.matcher(line).find()).count();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
