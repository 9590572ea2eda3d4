package org.interference.yarn.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.advice.Footprints.GIB;
import static org.interference.yarn.advice.Footprints.MACHINE;
import static org.interference.yarn.advice.Footprints.MAP;
import static org.interference.yarn.advice.Footprints.profile;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.interference.yarn.profile.Footprint;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.signal.LaunchSignature;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindAdvisorTest {
    private static final KindAdvisor ADVISOR =
            new KindAdvisor(new KindAdvisor.Cluster(512, 8192, Set.of(MACHINE), queue -> !queue.equals("gone")));

    @Test
    void highestPeakAndAFifthMoreIsAdvised() {
        KindAdvice.Sizes sizes = sizes(Footprints.of(99, GIB));

        assertThat(sizes.advised().memoryMb()).isEqualTo(1536);
        assertThat(sizes.advised().riskAtMost()).isEqualTo(0.01);
        assertThat(sizes.savedShare()).isCloseTo(1 - 1536.0 / 4096, within(1e-9));
        assertThat(sizes.minimumWaste().memoryMb()).isEqualTo(1024);
    }

    @Test
    void whatIsUsedAndWastedIsSaid() {
        KindAdvice advice = ADVISOR.of(profile(MAP, Footprints.of(100, GIB)));

        assertThat(advice.given()).hasValue(new KindAdvice.Given(4096, 2));
        assertThat(advice.used())
                .hasValue(new KindAdvice.Used(OptionalDouble.of(1), 1024, 1024, 512, OptionalDouble.empty()));
        // A hundred hours, three quarters of whose memory and half of whose cores nobody used.
        assertThat(advice.wasted()).hasValue(new KindAdvice.Wasted(75, OptionalDouble.of(50)));
    }

    @Test
    void nothingIsRaisedThatWasAlwaysEnough() {
        KindAdvice.Sizes sizes = sizes(Footprints.of(50, 3.9 * GIB));

        assertThat(sizes.advised().memoryMb()).isEqualTo(4096);
        assertThat(sizes.advised().riskAtMost()).isCloseTo(1 / 51.0, within(1e-9));
        assertThat(sizes.savedShare()).isZero();
    }

    @Test
    void moreIsAdvisedWhereTasksWereEndedForTheirMemory() {
        Footprint exhausted = Footprints.of(50, 3 * GIB)
                .with(new ResourceUse(4 * GIB, 2, 10, 4 * GIB, GIB, OptionalDouble.empty(), MACHINE, true));

        KindAdvice.Sizes sizes = sizes(exhausted);

        assertThat(sizes.advised().memoryMb()).isGreaterThan(4096);
        assertThat(sizes.savedShare()).isNegative();
        assertThat(ADVISOR.of(profile(MAP, exhausted)).exhausted()).isEqualTo(1);
    }

    @Test
    void kindOfTwoTasksGetsNoAdvice() {
        assertThat(reason(Footprints.of(2, GIB))).isEqualTo(KindAdvice.Reason.FEW_TASKS);
        assertThat(ADVISOR.of(profile(MAP, Footprints.of(2, GIB))).used()).isPresent();
    }

    @Test
    void kindOfWhichNothingWasMeasuredGetsNoAdvice() {
        KindAdvice advice = ADVISOR.of(profile(MAP, Footprint.NONE));

        assertThat(advice.advice()).isEqualTo(new KindAdvice.Withheld(KindAdvice.Reason.NOT_MEASURED));
        assertThat(advice.used()).isEmpty();
        assertThat(advice.wasted()).isEmpty();
    }

    @Test
    void profileFromOtherHardwareGetsNoAdvice() {
        KindAdvisor elsewhere =
                new KindAdvisor(new KindAdvisor.Cluster(512, 8192, Set.of(MACHINE / 2, MACHINE * 2), queue -> true));
        KindAdvisor nobodyTells = new KindAdvisor(new KindAdvisor.Cluster(512, 8192, Set.of(), queue -> true));

        assertThat(elsewhere.of(profile(MAP, Footprints.of(50, GIB))).advice())
                .isEqualTo(new KindAdvice.Withheld(KindAdvice.Reason.OTHER_HARDWARE));
        assertThat(nobodyTells.of(profile(MAP, Footprints.of(50, GIB))).advice())
                .isInstanceOf(KindAdvice.Sizes.class);
    }

    @Test
    void requestWithoutLimitGetsNoAdvice() {
        Footprint unlimited = Footprint.NONE;
        for (int i = 0; i < 50; i++) {
            unlimited = unlimited.with(new ResourceUse(0, 0, 10, GIB, GIB, OptionalDouble.empty(), MACHINE, false));
        }

        assertThat(reason(unlimited)).isEqualTo(KindAdvice.Reason.NO_LIMIT);
        assertThat(ADVISOR.of(profile(MAP, unlimited)).wasted().orElseThrow().memoryHours())
                .isZero();
    }

    @Test
    void kindOfAQueueThatIsGoneGetsNoAdvice() {
        TaskKey gone = new TaskKey(TaskKey.Level.NAME, "mapreduce/sort/map/gone/ann");

        assertThat(ADVISOR.of(profile(gone, Footprints.of(50, GIB))).advice())
                .isEqualTo(new KindAdvice.Withheld(KindAdvice.Reason.QUEUE_GONE));
    }

    @Test
    void mixedKindGetsNoAdvice() {
        Mixture mixed = new Mixture(
                Map.of(new LaunchSignature(1), 25L, new LaunchSignature(2), 25L),
                Map.of(),
                Optional.of(new Mixture.Boundary(Signal.CPU, 0.5)));

        assertThat(ADVISOR.of(profile(MAP, Footprints.of(50, GIB), mixed)).advice())
                .isEqualTo(new KindAdvice.Withheld(KindAdvice.Reason.MIXED));
    }

    @Test
    void whatNoContainerHasIsNotAdvised() {
        Footprint huge = Footprint.NONE;
        for (int i = 0; i < 50; i++) {
            huge = huge.with(
                    new ResourceUse(8 * GIB, 1, 10, 8 * GIB, GIB, OptionalDouble.empty(), MACHINE, i % 10 == 0));
        }

        assertThat(reason(huge)).isEqualTo(KindAdvice.Reason.TOO_LARGE);
    }

    /** Whatever the distribution: of tasks that are alike, no more of those to come need more than is said, but for chance. */
    @Test
    void riskIsNotExceededOverManyKinds() {
        Random random = new Random(7);
        int exceeded = 0;
        double said = 0;
        for (int kind = 0; kind < 2000; kind++) {
            double spread = random.nextDouble();
            Footprint footprint = Footprint.NONE;
            for (int i = 0; i < 40; i++) {
                footprint = Footprints.with(footprint, 1, peak(random, spread), Duration.ofSeconds(10));
            }
            KindAdvice.Size size = sizes(footprint).minimumWaste();
            said += size.riskAtMost();
            exceeded += peak(random, spread) > size.memoryMb() * (double) (1 << 20) ? 1 : 0;
        }

        assertThat(exceeded / 2000.0).isLessThan(said / 2000 + 0.02);
    }

    private static double peak(Random random, double spread) {
        return GIB * Math.min(3.9, Math.exp(spread * random.nextGaussian()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    NAME | mapreduce/sort/map/default/ann        | mapreduce.map.java.opts=-Xmx1228m mapreduce.map.memory.mb=1536
                    TAG  | ifc:ann/nightly/reduce@00000000000abc | mapreduce.reduce.java.opts=-Xmx1228m mapreduce.reduce.memory.mb=1536
                    NAME | mapreduce/sort/am/default/ann         | yarn.app.mapreduce.am.command-opts=-Xmx1228m yarn.app.mapreduce.am.resource.mb=1536
                    NAME | spark/query/executor-1/default/ann    | spark.executor.memory=1152m spark.executor.memoryOverhead=384m
                    NAME | spark/query/am/default/ann            | ''
                    NAME | tez/query/vertex-3/default/ann        | ''
                    """)
    void settingsAreReadyToBeCopied(TaskKey.Level level, String key, String settings) {
        KindAdvice advice = ADVISOR.of(profile(new TaskKey(level, key), Footprints.of(99, GIB)));

        assertThat(((KindAdvice.Sizes) advice.advice())
                        .settings().entrySet().stream().map(Map.Entry::toString).sorted())
                .containsExactly(settings.isEmpty() ? new String[0] : settings.split(" "));
    }

    private static KindAdvice.Sizes sizes(Footprint footprint) {
        return (KindAdvice.Sizes) ADVISOR.of(profile(MAP, footprint)).advice();
    }

    private static KindAdvice.Reason reason(Footprint footprint) {
        return ((KindAdvice.Withheld) ADVISOR.of(profile(MAP, footprint)).advice()).reason();
    }
}
