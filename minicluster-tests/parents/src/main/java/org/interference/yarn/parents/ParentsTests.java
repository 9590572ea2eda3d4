package org.interference.yarn.parents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command: YARN's tests with YARN's schedulers and with ours, and the table of what became of them. */
@Command(
        name = "bin/lab parents-tests",
        mixinStandardHelpOptions = true,
        description =
                "Runs YARN's own tests of its schedulers with ours in their place, and with YARN's as the control.")
public final class ParentsTests implements Callable<Integer> {
    @Parameters(
            description =
                    "Which variants: off, shadow, on, stock. Default: ours. Stock also runs where one of ours fails.")
    private List<SchedulerVariant> modes = List.of();

    @Option(names = "--work", required = true, description = "Where tests run and their results are kept.")
    private Path work;

    @Option(names = "--reasons", required = true, description = "Why outcomes differ: the committed file.")
    private Path reasons;

    @Option(names = "--document", required = true, description = "The table to write.")
    private Path document;

    @Option(
            names = "--figures",
            description = "Where what is published goes, once every class has been run with mode on.")
    private Optional<Path> figures = Optional.empty();

    @Option(names = "--class", description = "Only classes whose name contains this regular expression.")
    private Pattern wanted = Pattern.compile("");

    @Option(names = "--jobs", description = "JVMs that run at the same time. Default: ${DEFAULT-VALUE}.")
    private int jobs = 1;

    @Option(
            names = "--own-network",
            description =
                    "Each JVM in a network namespace, so that several do not meet at YARN's ports. Wants user namespaces.")
    private boolean ownNetwork;

    @Option(names = "--fresh", description = "Forget what an earlier run finished with ours.")
    private boolean fresh;

    private ParentsTests() {}

    /** Arguments as {@code --help} tells. */
    public static void main(String[] arguments) {
        int status = new CommandLine(new ParentsTests())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    @Override
    public Integer call() throws Exception {
        String classPath = System.getProperty("java.class.path");
        TestsJar jar = TestsJar.on(classPath);
        Set<SchedulerVariant> variants =
                modes.isEmpty() ? EnumSet.complementOf(EnumSet.of(SchedulerVariant.STOCK)) : EnumSet.copyOf(modes);
        List<String> classes = jar.schedulerTests().stream()
                .filter(name -> wanted.matcher(name).find())
                .toList();
        TestResults results = new TestResults(work.resolve("results"));
        inParallel(classes, variants, classPath, results);
        repeat(classes, variants, classPath, results);
        Report report = new Report(jar, results, Reasons.read(reasons));
        Files.writeString(document, report.text());
        Optional<String> published = report.figures();
        if (figures.isPresent() && published.isPresent()) {
            Files.writeString(figures.get(), published.get());
        }
        return 0;
    }

    /** Runs every class once that has no result yet. */
    private void inParallel(List<String> classes, Set<SchedulerVariant> variants, String classPath, TestResults results)
            throws InterruptedException, ExecutionException {
        Queue<String> waiting = new ConcurrentLinkedQueue<>(classes);
        ExecutorService workers = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < jobs; i++) {
                Runners runners = new Runners(work.resolve("worker-" + i), classPath);
                running.add(workers.submit(() -> run(waiting, variants, runners, results)));
            }
            for (Future<?> run : running) {
                run.get();
            }
        } finally {
            workers.shutdownNow();
        }
    }

    private Void run(Queue<String> waiting, Set<SchedulerVariant> variants, Runners runners, TestResults results)
            throws IOException, InterruptedException {
        for (String name = waiting.poll(); name != null; name = waiting.poll()) {
            for (SchedulerVariant variant : variants) {
                if ((fresh && variant.isOurs()) || results.of(variant, name).isEmpty()) {
                    keep(name, variant, runners.of(variant).once(name), results);
                }
            }
        }
        return null;
    }

    /**
     * Runs again what failed, one class after the other with nothing beside it, as many of these tests have time limits; and the control,
     * where there is something to tell.
     */
    private void repeat(List<String> classes, Set<SchedulerVariant> variants, String classPath, TestResults results)
            throws IOException, InterruptedException {
        Runners runners = new Runners(work.resolve("worker-0"), classPath);
        for (String name : classes) {
            boolean control = variants.contains(SchedulerVariant.STOCK);
            for (SchedulerVariant variant : variants) {
                if (variant.isOurs()) {
                    control |= !repeated(name, variant, runners, results)
                            .failures()
                            .isEmpty();
                }
            }
            if (control) {
                repeated(name, SchedulerVariant.STOCK, runners, results);
            }
        }
    }

    /** Returns what became of a class in the end. */
    private static TestResult repeated(String name, SchedulerVariant variant, Runners runners, TestResults results)
            throws IOException, InterruptedException {
        Optional<TestResult> kept = results.of(variant, name);
        if (kept.isPresent() && kept.get().isFinal()) {
            return kept.get();
        }
        Runner runner = runners.of(variant);
        return keep(name, variant, kept.isPresent() ? runner.again(name, kept.get()) : runner.run(name), results);
    }

    private static TestResult keep(String name, SchedulerVariant variant, TestResult result, TestResults results)
            throws IOException {
        results.keep(variant, name, result);
        System.out.printf(
                "%-6s %s: %d passed, %d failed, %d skipped, %d s%n",
                variant,
                name.substring(name.lastIndexOf('.') + 1),
                result.count(TestOutcome.Status.PASSED),
                result.failures().size(),
                result.count(TestOutcome.Status.SKIPPED),
                result.seconds());
        return result;
    }

    /** Those that work at one place, one for each variant, made when they are needed first. Not thread-safe. */
    private final class Runners {
        private final Path place;
        private final String classPath;
        private final Map<SchedulerVariant, Runner> made = new EnumMap<>(SchedulerVariant.class);

        Runners(Path place, String classPath) {
            this.place = place;
            this.classPath = classPath;
        }

        Runner of(SchedulerVariant variant) throws IOException {
            Runner known = made.get(variant);
            if (known == null) {
                known = new Runner(variant, place.resolve(variant.toString()), classPath, ownNetwork);
                made.put(variant, known);
            }
            return known;
        }
    }
}
