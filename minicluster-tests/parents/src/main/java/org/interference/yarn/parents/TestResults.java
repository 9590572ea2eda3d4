package org.interference.yarn.parents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The results of all runs, a file for each class and variant below {@code directory}. */
record TestResults(Path directory) {
    Optional<TestResult> of(SchedulerVariant variant, String className) throws IOException {
        Path file = file(variant, className);
        return Files.exists(file) ? Optional.of(TestResult.read(file)) : Optional.empty();
    }

    void keep(SchedulerVariant variant, String className, TestResult result) throws IOException {
        result.write(file(variant, className));
    }

    private Path file(SchedulerVariant variant, String className) {
        return directory.resolve(variant.toString()).resolve(className + ".tsv");
    }
}
