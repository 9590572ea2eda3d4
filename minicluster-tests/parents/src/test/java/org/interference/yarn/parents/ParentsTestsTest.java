package org.interference.yarn.parents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A few of YARN's own tests pass with our schedulers; {@code bin/lab parents-tests} runs all of them in every mode and writes
 * docs/parents-tests.md.
 */
class ParentsTestsTest {
    /** Quick ones, which allocate, reserve and unreserve. */
    private static final List<String> CLASSES =
            List.of("capacity.TestContainerAllocation", "capacity.TestReservations", "fair.TestFSAppAttempt");

    /**
     * Not in the gate, which other work must not fail: it takes for granted that an application master asks within ten seconds of the
     * ResourceManager's start, while requests are measured by the configured maximum. {@code bin/lab parents-tests}, on a quiet machine, has it.
     */
    private static final String RACE = "testContainerRejectionWhenAskBeyondDynamicMax()";

    @ParameterizedTest
    @EnumSource(names = {"OFF", "ON"})
    void yarnsTestsPassWithOurs(SchedulerVariant mode) throws Exception {
        String classPath = System.getProperty("java.class.path");
        Runner runner = new Runner(mode, Path.of("target/parents-tests", mode.toString()), classPath, false);

        int started = 0;
        for (String name : CLASSES) {
            TestResult result = runner.run("org.apache.hadoop.yarn.server.resourcemanager.scheduler." + name);

            assertThat(result.failures()).as("%s with %s", name, mode).allSatisfy(failure -> assertThat(failure.test())
                    .isEqualTo(RACE));
            assertThat(result.errors()).as("errors of the plugin in %s", name).isZero();
            assertThat(result.count(TestOutcome.Status.PASSED)).isPositive();
            started += result.started();
        }
        assertThat(started).as("plugins that ran in mode %s", mode).isPositive();
    }
}
