package org.interference.yarn.parents;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The main program of the JVM in which one class is run. Writes each outcome as it comes, so that a JVM that hangs has told. */
final class InOwnJvm implements TestExecutionListener {
    /** What a test that has begun is called until it ends; its id follows. */
    static final String BEGAN = "BEGAN\t";
    /** The last line of a run that was not cut short. */
    static final String DONE = "DONE";

    private final Path output;

    private InOwnJvm(Path output) {
        this.output = output;
    }

    /** Arguments: the file to write, and the class. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        InOwnJvm listener = new InOwnJvm(Path.of(arguments[0]));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Class.forName(arguments[1])))
                                .build(),
                        listener);
        listener.write(DONE);
        // main-program:off  YARN leaves threads behind.
        System.exit(0);
        // main-program:on
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            write(BEGAN + test.getUniqueId() + "\t" + test.getLegacyReportingName());
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(new TestOutcome(test.getUniqueId(), name(test), TestOutcome.Status.SKIPPED, 1, reason).toLine());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        TestOutcome.Status status =
                switch (result.getStatus()) {
                    case SUCCESSFUL -> TestOutcome.Status.PASSED;
                    case ABORTED -> TestOutcome.Status.SKIPPED;
                    case FAILED -> TestOutcome.Status.FAILED;
                };
        // A class or a group tells only what went wrong around its tests.
        if (test.isTest() || status != TestOutcome.Status.PASSED) {
            String detail = result.getThrowable().map(InOwnJvm::detail).orElse("");
            write(new TestOutcome(test.getUniqueId(), name(test), status, 1, detail).toLine());
        }
    }

    private static String name(TestIdentifier test) {
        return test.isContainer()
                        && test.getParentId().isPresent()
                        && !test.getLegacyReportingName().contains("(")
                ? "(class)"
                : test.getLegacyReportingName();
    }

    /** What was thrown, and where in YARN's tests. */
    private static String detail(Throwable thrown) {
        String where = Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("org.apache.hadoop.yarn"))
                .filter(frame ->
                        frame.getFileName() != null && frame.getFileName().contains("Test"))
                .findFirst()
                .map(frame -> " at " + frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("");
        String what = thrown.toString();
        return what.substring(0, Math.min(what.length(), 300)) + where;
    }

    private synchronized void write(String line) {
        try {
            Files.writeString(output, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
