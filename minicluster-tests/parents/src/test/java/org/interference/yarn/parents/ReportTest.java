package org.interference.yarn.parents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published of YARN's own tests. */
class ReportTest {
    private static final TestResult WITHOUT_TESTS = new TestResult(0, 0, 1, List.of());

    private static TestsJar jar;

    @TempDir
    private Path directory;

    private TestResults results;

    @BeforeAll
    static void read() throws IOException {
        jar = TestsJar.on(System.getProperty("java.class.path"));
    }

    @BeforeEach
    void begin() {
        results = new TestResults(directory.resolve("results"));
    }

    @Test
    void classesWithoutTestsOfTheirOwnDoNotHideTheOthers() throws IOException {
        keep(SchedulerVariant.ON, result(TestOutcome.Status.PASSED));
        results.keep(SchedulerVariant.ON, jar.schedulerTests().get(1), WITHOUT_TESTS);

        assertThat(figures()).hasValueSatisfying(json -> assertThat(json)
                .contains("\"parents_tests_passed\": " + (jar.schedulerTests().size() - 1))
                .contains("\"parents_tests_differing\": 0"));
    }

    @Test
    void whatFailsWithOursAndNotWithStockDiffers() throws IOException {
        keep(SchedulerVariant.ON, result(TestOutcome.Status.PASSED));
        String name = jar.schedulerTests().get(0);
        results.keep(SchedulerVariant.ON, name, result(TestOutcome.Status.FAILED));
        results.keep(SchedulerVariant.STOCK, name, result(TestOutcome.Status.PASSED));

        assertThat(figures()).hasValueSatisfying(json -> assertThat(json).contains("\"parents_tests_differing\": 1"));
    }

    @Test
    void nothingIsPublishedOfPartOfThem() throws IOException {
        keep(SchedulerVariant.ON, result(TestOutcome.Status.PASSED));
        Files.delete(directory.resolve("results/on/" + jar.schedulerTests().get(0) + ".tsv"));

        assertThat(figures()).isEmpty();
    }

    /** As where the platform does not know the tests' version of JUnit. */
    @Test
    void nothingIsPublishedIfNoTestWasFound() throws IOException {
        keep(SchedulerVariant.ON, WITHOUT_TESTS);

        assertThat(figures()).isEmpty();
    }

    private Optional<String> figures() throws IOException {
        Path reasons = Files.writeString(directory.resolve("reasons.tsv"), "# class\ttests\twhy\n");
        return new Report(jar, results, Reasons.read(reasons)).figures();
    }

    private void keep(SchedulerVariant variant, TestResult result) throws IOException {
        for (String name : jar.schedulerTests()) {
            results.keep(variant, name, result);
        }
    }

    private static TestResult result(TestOutcome.Status status) {
        return new TestResult(1, 0, 1, List.of(new TestOutcome("id", "test()", status, 1, "")));
    }
}
