package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;
import static org.interference.yarn.fixture.Reports.heartbeat;
import static org.interference.yarn.fixture.Reports.running;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.learn.RunningTasks;
import org.interference.yarn.learn.SlowdownObserver;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node speaks for its own containers, and for no more time than has passed. */
class BelievedTest {
    private static final String OURS = "node-1:8041";
    private static final String LIAR = "node-2:8041";
    private static final String VICTIM = "container_1_0001_01_000002";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ProfileRepository profiles = new ProfileRepository(1);
    private final RunningTasks running = new RunningTasks(profiles, container -> Optional.of(Tasks.SORT));
    private final SlowdownObserver observer = new SlowdownObserver(profiles);
    private final Map<String, String> scheduled = new HashMap<>(Map.of(VICTIM, OURS));
    private final Ingest ingest =
            new Ingest(new IngestSettings(5, 1 << 20, Duration.ofMinutes(10)), SECOND, new Scheduler(), sample -> {
                running.observe(sample, sample.receivedAt());
                observer.look(sample, sample.receivedAt());
            });
    private OptionalLong longestRun = OptionalLong.empty();
    private OptionalInt allocated = OptionalInt.empty();
    private long sequence;

    @Test
    void anotherNodesWordDoesNotMoveAProfileAtAll() {
        hourOfTheVictim();
        TaskProfile honest = profiles.find(Tasks.SORT).orElseThrow();

        for (int i = 0; i < 100; i++) {
            Instant now = T0.plus(Duration.ofHours(1)).plusSeconds(i);
            IngestOutcome outcome = report(LIAR, now, observed(Duration.ofMinutes(10L * i), 0.01));
            assertThat(outcome).isEqualTo(IngestOutcome.NOT_BELIEVED);
        }

        assertThat(profiles.find(Tasks.SORT)).hasValue(honest);
        assertThat(ingest.newest(LIAR).orElseThrow().report().containers()).isEmpty();
        assertThat(ingest.newest(LIAR).orElseThrow().running()).isEmpty();
    }

    @Test
    void whatIsBesideAForgedContainerIsBelieved() {
        scheduled.put("own", LIAR);

        report(LIAR, T0, observed(SECOND, 0.5), running("own", SECOND, Vectors.cpu(0.25)));

        assertThat(ingest.newest(LIAR).orElseThrow().running()).containsOnlyKeys("own");
        assertThat(ingest.newest(LIAR).orElseThrow().refused()).isEqualTo(1);
    }

    @Test
    void containerNamedBeforeItIsAllocatedElsewhereTeachesNothing() {
        scheduled.clear();
        for (int i = 0; i < 3600; i += 10) {
            report(LIAR, T0.plusSeconds(i), observed(Duration.ofSeconds(i), 0.01));
        }
        scheduled.put(VICTIM, OURS);
        report(LIAR, T0.plusSeconds(3600), observed(Duration.ofHours(1), 0.01));

        assertThat(profiles.all()).isEmpty();
    }

    @Test
    void lastReportAfterTheSchedulerForgotTheContainerIsBelieved() {
        report(OURS, T0, observed(SECOND, 0.5));
        scheduled.clear();

        report(OURS, T0.plusSeconds(1), observed(SECOND.multipliedBy(2), 0.6));

        assertThat(ingest.newest(OURS).orElseThrow().own()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 600, 100_000})
    void timeThatHasNotPassedTeachesNothing(int atFirst) {
        report(OURS, T0, observed(Duration.ofSeconds(atFirst), 0.5));
        report(OURS, T0.plusSeconds(1), observed(Duration.ofSeconds(atFirst + 1), 0.5));
        long samples = samples();
        for (int i = 2; i < 200; i++) {
            // Grows by ten minutes each second; now and then its node begins anew, or leaves it out.
            boolean named = i % 7 != 0;
            Duration claim = Duration.ofMinutes(i % 20 == 0 ? 10 : 10L * i + atFirst);
            ContainerReport[] containers =
                    named ? new ContainerReport[] {observed(claim, 0.01)} : new ContainerReport[0];
            report(OURS, T0.plusSeconds(i), containers);
        }

        assertThat(samples()).isEqualTo(samples);
    }

    /** A node that has been forgotten, or named the container before there was one, has no last report that bounds it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void containerHasRunForNoLongerThanTheSchedulerHasHadIt(boolean namedBefore) {
        longestRun = OptionalLong.of(5000);
        Duration year = Duration.ofDays(365);
        if (namedBefore) {
            scheduled.clear();
            report(OURS, T0, observed(year, 0.5));
            scheduled.put(VICTIM, OURS);
        }

        assertThat(report(OURS, T0.plusSeconds(1), observed(year.plusSeconds(1), 0.5)))
                .isEqualTo(IngestOutcome.NOT_BELIEVED);
        for (int i = 2; i < 100; i++) {
            assertThat(report(OURS, T0.plusSeconds(i), observed(year.plusSeconds(i), 0.5)))
                    .isEqualTo(IngestOutcome.NOT_BELIEVED);
        }
        assertThat(ingest.newest(OURS).orElseThrow().running()).isEmpty();
    }

    @Test
    void containerThatTheSchedulerHasHadForSoLongIsBelieved() {
        longestRun = OptionalLong.of(Duration.ofHours(1).toMillis());

        assertThat(report(OURS, T0, observed(Duration.ofHours(1), 0.5))).isEqualTo(IngestOutcome.ACCEPTED);
        assertThat(report(OURS, T0.plusSeconds(1), observed(Duration.ofHours(1).plusSeconds(1), 0.5)))
                .isEqualTo(IngestOutcome.ACCEPTED);
    }

    @Test
    void longestTimeThatCanBeReportedOverflowsNothing() {
        report(OURS, T0, observed(Duration.ofMillis(Long.MAX_VALUE), 0.5));

        assertThat(report(OURS, T0.plusSeconds(1), observed(Duration.ofMillis(Long.MAX_VALUE), 0.5)))
                .isEqualTo(IngestOutcome.ACCEPTED);
    }

    /** Each neighbour costs a decision two predictions, and one node could keep all decisions from being made in time. */
    @Test
    void containersThatTheSchedulerDoesNotKnowAreFewNeighbours() {
        ContainerReport[] containers = new ContainerReport[5000];
        for (int i = 0; i < containers.length; i++) {
            containers[i] = running("c" + i, SECOND, Vectors.cpu(0.5));
        }
        scheduled.put("c4999", LIAR);

        report(LIAR, T0, containers);

        assertThat(ingest.newest(LIAR).orElseThrow().running()).hasSize(17).containsKey("c4999");
    }

    /** One whose collector sees none of its containers is not an idle one. */
    @ParameterizedTest
    @CsvSource({"0, 20, false", "5, 20, false", "6, 20, true", "0, 1, true", "0, 0, true", "1, 2, true"})
    void nodeThatMeasuresFewOfItsContainersForMinutesSaysNothing(int measured, int had, boolean fresh) {
        allocated = OptionalInt.of(had);
        for (int second = 0; second <= 180; second += 5) {
            ContainerReport[] containers = new ContainerReport[measured];
            for (int i = 0; i < measured; i++) {
                scheduled.put("c" + i, OURS);
                containers[i] = running("c" + i, Duration.ofSeconds(second + 1), Vectors.cpu(0.5));
            }
            Instant now = T0.plusSeconds(second);
            report(OURS, now, containers);

            assertThat(ingest.fresh(OURS, now).isPresent())
                    .as("after %d s", second)
                    .isEqualTo(fresh || second <= 120);
        }
    }

    @Test
    void honestContainerIsBelievedThoughReportsComeTogether() {
        int seconds = 1;
        for (int burst = 0; burst < 100; burst++) {
            Instant now = T0.plusSeconds(50L * (burst + 1));
            for (int i = 0; i < 50; i++) {
                assertThat(report(OURS, now, observed(Duration.ofSeconds(seconds++), 0.5)))
                        .isEqualTo(IngestOutcome.ACCEPTED);
            }
        }
    }

    @Test
    void honestContainerIsBelievedAgainAfterTheClockOfThisSideWasSetBack() {
        report(OURS, T0, observed(SECOND, 0.5));
        Instant back = T0.minus(Duration.ofHours(1));
        for (int i = 1; i <= 300; i++) {
            report(OURS, back.plusSeconds(i), observed(Duration.ofSeconds(i + 1), 0.5));
        }

        assertThat(ingest.newest(OURS).orElseThrow().refused()).isZero();
    }

    @Test
    void containerOfARestartedNodeBeginsAnew() {
        report(OURS, T0, observed(Duration.ofHours(5), 0.5));

        assertThat(report(OURS, T0.plusSeconds(5), observed(SECOND, 0.5))).isEqualTo(IngestOutcome.ACCEPTED);
        assertThat(report(OURS, T0.plusSeconds(6), observed(SECOND.multipliedBy(2), 0.5)))
                .isEqualTo(IngestOutcome.ACCEPTED);
    }

    @ParameterizedTest
    @EnumSource(Signal.class)
    void levelThatNoContainerCanHaveIsNotBelieved(Signal signal) {
        report(OURS, T0, running(VICTIM, SECOND, Vectors.of(signal, 0.5)));

        // A float of the wire has 16 bits: the next ones are a 128th away.
        for (double absurd : new double[] {1.01 * signal.highest(), 1e30}) {
            assertThat(report(OURS, T0.plusSeconds(2), running(VICTIM, SECOND, Vectors.of(signal, absurd))))
                    .isEqualTo(IngestOutcome.NOT_BELIEVED);
            assertThat(ingest.newest(OURS).orElseThrow().report().containers()).isEmpty();
            // What slowdowns are predicted from is still what was believed before.
            assertThat(ingest.newest(OURS).orElseThrow().running().values())
                    .allMatch(Vectors.of(signal, 0.5)::equals)
                    .hasSize(signal.isPredictor() ? 1 : 0);
        }
        assertThat(report(OURS, T0.plusSeconds(2), running(VICTIM, SECOND, Vectors.of(signal, signal.highest()))))
                .isEqualTo(IngestOutcome.ACCEPTED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noLevelThatIsReadMakesAProfileThrow(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            Map<Signal, Double> levels = new EnumMap<>(Signal.class);
            for (Signal signal : Signal.values()) {
                levels.put(signal, random.nextBoolean() ? 0 : signal.highest());
            }
            profiles.record(Tasks.sample(new InterferenceVector(levels), Duration.ofDays(random.nextInt(10_000))));
        }
        assertThat(profiles.find(Tasks.SORT).orElseThrow().samples()).isEqualTo(2000);
    }

    private void hourOfTheVictim() {
        for (int i = 0; i <= 3600; i += 10) {
            report(OURS, T0.plusSeconds(i), observed(Duration.ofSeconds(i), 0.8));
        }
    }

    private long samples() {
        return profiles.find(Tasks.SORT).map(TaskProfile::samples).orElse(0L);
    }

    private final class Scheduler implements Whereabouts {
        @Override
        public Answer of(String container, String node) {
            String on = scheduled.get(container);
            if (on == null) {
                return Answer.UNKNOWN;
            }
            return on.equals(node) ? Answer.HERE : Answer.ELSEWHERE;
        }

        @Override
        public OptionalLong longestRunMillis(String container) {
            return longestRun;
        }

        @Override
        public OptionalInt allocated(String node) {
            return allocated;
        }
    }

    private IngestOutcome report(String node, Instant now, ContainerReport... containers) {
        IngestOutcome outcome = ingest.accept(node, heartbeat(++sequence, containers), now);
        return outcome == IngestOutcome.CLOCK_SKEWED ? IngestOutcome.ACCEPTED : outcome;
    }

    private static ContainerReport observed(Duration observed, double cpu) {
        InterferenceVector load = Vectors.cpu(cpu);
        return running(VICTIM, observed, load);
    }
}
