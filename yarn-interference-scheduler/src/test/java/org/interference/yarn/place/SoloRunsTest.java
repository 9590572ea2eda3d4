package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.InterferenceVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes are kept for whom, and what bounds it. */
class SoloRunsTest {
    private static final double SHARE = 0.05;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final TaskKind SORT = kind("sort", 10, Company.CONTENDED);
    private static final TaskKind JOIN = kind("join", 10, Company.CONTENDED);

    private final SoloRuns soloRuns = new SoloRuns();

    @Test
    void nodeIsKeptForOneRunOfEachKindAndIsThenAsAnyOther() {
        asks(SORT, T0);
        asks(JOIN, T0);

        assertThat(at("a", T0)).hasValueSatisfying(kept -> assertThat(kept.isFor(SORT) && !kept.isFor(JOIN))
                .isTrue());
        soloRuns.placed(SORT, "run", "a", T0);
        assertThat(at("a", T0)).hasValueSatisfying(kept -> assertThat(kept.isFor(SORT) || kept.isFor(JOIN))
                .isFalse());
        asks(SORT, T0);
        soloRuns.completed("run", "a", T0.plusSeconds(10));
        assertThat(at("a", T0.plusSeconds(10)))
                .hasValueSatisfying(kept -> assertThat(kept.isFor(JOIN)).isTrue());
        soloRuns.placed(JOIN, "run", "a", T0.plusSeconds(10));
        soloRuns.completed("run", "a", T0.plusSeconds(20));

        assertThat(at("a", T0.plusSeconds(20))).isEmpty();
    }

    @Test
    void nothingIsKeptForWhoWasSeenByItselfOrRunsForLong() {
        asks(kind("seen", 10, Company.ALONE), T0);
        asks(kind("long", 301, Company.CONTENDED), T0);
        asks(kind("service", Optional.empty(), Company.CONTENDED), T0);

        assertThat(at("a", T0)).isEmpty();
    }

    @Test
    void smallClusterKeepsNothing() {
        asks(SORT, T0);

        assertThat(soloRuns.at("a", SHARE, 4, LONGEST, T0)).isEmpty();
        assertThat(soloRuns.at("a", SHARE, 5, LONGEST, T0)).isPresent();
    }

    @Test
    void nodeThatDoesNotRunEmptyIsGivenUpAndNotTriedAgainForADay() {
        asks(SORT, T0);
        assertThat(at("a", T0)).isPresent();
        Instant over = T0.plus(LONGEST).plusMillis(1);

        asks(SORT, over);
        assertThat(at("a", over)).isEmpty();
        Instant later = over.plus(Duration.ofHours(23));
        asks(SORT, later);
        assertThat(at("a", later)).isEmpty();
        assertThat(at("b", later)).isPresent();
    }

    /** It is full, so that nobody is offered it. */
    @Test
    void nodeThatDoesNotRunEmptyIsNotTriedAgainForADayWhoeverFindsOut() {
        asks(SORT, T0);
        assertThat(at("a", T0)).isPresent();
        Instant over = T0.plus(LONGEST).plusMillis(1);

        soloRuns.sweep(over);
        Instant later = over.plus(Duration.ofHours(23));
        asks(SORT, later);
        assertThat(at("a", later)).isEmpty();
        assertThat(at("b", later)).isPresent();
    }

    /** As where several threads propose, and another was quicker. */
    @Test
    void runThatIsRefusedHasNotBegun() {
        asks(SORT, T0);
        at("a", T0);
        soloRuns.placed(SORT, "proposal", "a", T0);

        soloRuns.dropped("another", "a");
        assertThat(at("a", T0))
                .hasValueSatisfying(kept -> assertThat(kept.isFor(SORT)).isFalse());
        soloRuns.dropped("proposal", "a");
        asks(SORT, T0);
        assertThat(at("a", T0))
                .hasValueSatisfying(kept -> assertThat(kept.isFor(SORT)).isTrue());
        assertThat(at("a", T0.plus(LONGEST).plusMillis(1))).isEmpty();
    }

    /** As one that was there before, and of which YARN hears late. */
    @Test
    void runEndsWithItsOwnContainerAlone() {
        asks(SORT, T0);
        at("a", T0);
        soloRuns.placed(SORT, "proposal", "a", T0);

        soloRuns.completed("another", "a", T0);
        assertThat(at("a", T0)).isPresent();
        soloRuns.named("another proposal", "another", "a");
        soloRuns.named("proposal", "run", "a");
        soloRuns.completed("another", "a", T0);
        assertThat(at("a", T0)).isPresent();
        soloRuns.completed("run", "a", T0);
        assertThat(at("a", T0)).isEmpty();
    }

    /** It may have been killed, or its application be gone. */
    @Test
    void nodeIsGivenUpWhoseKindNoLongerAsks() {
        asks(SORT, T0);
        assertThat(at("a", T0.plusSeconds(20))).isPresent();

        assertThat(at("a", T0.plusSeconds(41))).isEmpty();
    }

    @Test
    void kindThatRanIsNotTriedAgainForADayThoughItWasDisturbed() {
        asks(SORT, T0);
        at("a", T0);
        soloRuns.placed(SORT, "run", "a", T0);
        soloRuns.completed("run", "a", T0.plusSeconds(9));
        Instant before = T0.plus(Duration.ofHours(23));
        Instant after = T0.plus(Duration.ofHours(24));

        asks(SORT, before);
        assertThat(at("a", before)).isEmpty();
        asks(SORT, after);
        assertThat(at("a", after)).isPresent();
    }

    /** It may be full, or have left the cluster. */
    @Test
    void nodeThatNobodyIsOfferedCostsNoMoreThanItsTime() {
        asks(SORT, T0);
        at("a", T0);
        Instant later = T0.plus(Duration.ofHours(1));

        soloRuns.sweep(later);
        asks(JOIN, later);

        assertThat(at("b", later)).isPresent();
    }

    @Test
    void runThatDoesNotEndIsGivenUp() {
        asks(SORT, T0);
        at("a", T0);
        soloRuns.placed(SORT, "run", "a", T0);

        assertThat(at("a", T0.plusSeconds(60))).isPresent();
        assertThat(at("a", T0.plusSeconds(61))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 8, 40, 100})
    void neitherMoreNodesNorMoreOfTheirTimeIsKeptThanMayBe(int nodes) {
        List<TaskKind> kinds = IntStream.range(0, 900)
                .mapToObj(i -> kind("kind-" + i, 5, Company.CONTENDED))
                .toList();
        int most = Math.max(1, (int) (SHARE * nodes));
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            SoloRuns runs = new SoloRuns();
            Set<String> kept = new HashSet<>();
            long spent = 0;
            int seconds = 4 * 3600;
            for (int second = 0; second < seconds; second++) {
                Instant now = T0.plusSeconds(second);
                String offered = "node-" + random.nextInt(nodes);
                runs.asks(kinds.get(random.nextInt(kinds.size())), offered, now);
                kept.add(offered);
                kept.removeIf(node -> runs.at(node, SHARE, nodes, LONGEST, now).isEmpty());
                assertThat(kept).hasSizeLessThanOrEqualTo(most);
                spent += kept.size();
                for (String node : kept) {
                    if (random.nextInt(3) == 0) {
                        runs.placed(kinds.get(random.nextInt(kinds.size())), "run", node, now);
                    } else if (random.nextInt(4) == 0) {
                        runs.completed("run", node, now);
                    }
                }
            }

            Duration longestOfOne = LONGEST.plusSeconds(30 + 3 * 5);
            assertThat((double) spent)
                    .isPositive()
                    .isLessThanOrEqualTo(SHARE * nodes * seconds + most * longestOfOne.toSeconds());
        }
    }

    /** Of another size or label, or one that it does not name. */
    @Test
    void nodeThatKindMayNotHaveIsNotKeptForIt() {
        soloRuns.asks(SORT, "a", T0);

        assertThat(at("b", T0)).isEmpty();
        assertThat(at("a", T0)).isPresent();
    }

    /** It is offered both nodes. */
    private void asks(TaskKind kind, Instant now) {
        soloRuns.asks(kind, "a", now);
        soloRuns.asks(kind, "b", now);
    }

    private Optional<SoloRuns.Kept> at(String node, Instant now) {
        return soloRuns.at(node, SHARE, 8, LONGEST, now);
    }

    private static TaskKind kind(String name, int seconds, Company company) {
        return kind(name, Optional.of(Duration.ofSeconds(seconds)), company);
    }

    /** @param runTime empty while tasks of it have only been seen running */
    private static TaskKind kind(String name, Optional<Duration> runTime, Company company) {
        TaskIdentity task = TaskIdentity.of("TEST", name, "map", "default", Optional.of(name));
        TaskSample sample = new TaskSample(
                task, Vectors.cpu(0.5), InterferenceVector.EMPTY, runTime, T0, Optional.empty(), company);
        return new TaskKind(0, TaskProfile.empty(task.keys().get(0)).with(sample), new FakePredictor());
    }
}
