package org.interference.yarn.relocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.relocate.Candidates.SETTINGS;
import static org.interference.yarn.relocate.Candidates.T0;
import static org.interference.yarn.relocate.Candidates.leaver;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.interference.yarn.relocate.Judgement.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who of those that could leave does, and what comes of it. */
class RelocatorTest {
    private final Relocator relocator = new Relocator(SETTINGS);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void oneOfAnApplicationLeavesInAMinute() {
        ask(T0, leaver("c1", "a", "q"), leaver("c2", "a", "q"));

        assertThat(reasons(T0.plusSeconds(59), leaver("c2", "a", "q"))).containsExactly(Reason.APPLICATION_LIMIT);
        assertThat(reasons(T0.plusSeconds(60), leaver("c2", "a", "q"))).containsExactly(Reason.GOES);
    }

    @Test
    void limitsHoldOfAQueueAndOfTheCluster() {
        assertThat(reasons(
                        T0,
                        leaver("c1", "a1", "q"),
                        leaver("c2", "a2", "q"),
                        leaver("c3", "a3", "q"),
                        leaver("c4", "a4", "r"),
                        leaver("c5", "a5", "r"),
                        leaver("c6", "a6", "s")))
                .containsExactly(
                        Reason.GOES, Reason.GOES, Reason.QUEUE_LIMIT, Reason.GOES, Reason.GOES, Reason.CLUSTER_LIMIT);
    }

    @Test
    void dryRunSaysTheSameAgain() {
        assertThat(reasons(T0, leaver("c1", "a", "q"))).containsExactly(Reason.GOES);
        assertThat(reasons(T0.plusSeconds(5), leaver("c1", "a", "q"))).containsExactly(Reason.GOES);
        assertThat(relocator.tally(T0).asked()).isZero();
    }

    @Test
    void noTaskIsAskedTwice() {
        ask(T0, leaver("c1", "a", "q"));

        assertThat(reasons(T0.plusSeconds(70), leaver("c1", "a", "q"))).containsExactly(Reason.ASKED);
        relocator.ended("c1", false, T0.plusSeconds(80));
        relocator.placed("c9", "a/map", T0.plusSeconds(81));

        assertThat(reasons(T0.plusSeconds(200), leaver("c9", "a", "q"))).containsExactly(Reason.CAME_INSTEAD);
        assertThat(reasons(T0.plusSeconds(200), leaver("c2", "a", "q"))).containsExactly(Reason.GOES);
    }

    @Test
    void graceIsOverAfterItsTime() {
        List<Candidate> all = List.of(leaver("c1", "a", "q"));
        ask(T0, leaver("c1", "a", "q"));

        assertThat(relocator.overdue(all, T0.plusSeconds(14))).isEmpty();
        assertThat(relocator.overdue(all, T0.plusSeconds(15))).containsExactly("c1");
        relocator.ended("c1", false, T0.plusSeconds(15));
        assertThat(relocator.overdue(all, T0.plusSeconds(16))).isEmpty();
    }

    @Test
    void whoHasNoPlaceAnyMoreStaysAndIsNotAskedAgain() {
        Candidate asked = leaver("c1", "a", "q");
        Candidate without =
                Candidates.with(asked, asked.ran(), asked.kind(), asked.staying(), Optional.<Candidate.Target>empty());
        ask(T0, asked);

        assertThat(relocator.overdue(List.of(without), T0.plusSeconds(15))).isEmpty();
        assertThat(relocator.overdue(List.of(asked), T0.plusSeconds(20))).isEmpty();
        assertThat(reasons(T0.plusSeconds(70), asked)).containsExactly(Reason.ASKED);
        relocator.ended("c1", false, T0.plusSeconds(80));
        assertThat(relocator.tally(T0).left()).isZero();
    }

    @Test
    void whoIsNotSeenAnyMoreStays() {
        ask(T0, leaver("c1", "a", "q"));

        assertThat(relocator.overdue(List.of(leaver("c2", "b", "q")), T0.plusSeconds(15)))
                .isEmpty();
    }

    @Test
    void roomOfANodeIsPromisedToOneUntilHeIsThereOrStays() {
        Candidate first = leaver("c1", "a", "q", "quiet");
        Candidate second = leaver("c2", "b", "q", "quiet");

        assertThat(reasons(T0, first, second)).containsExactly(Reason.GOES, Reason.NO_TARGET);
        ask(T0, first, second);
        assertThat(reasons(T0.plusSeconds(59), second)).containsExactly(Reason.NO_TARGET);
        assertThat(reasons(T0.plusSeconds(60), second))
                .as("nobody knows any more what became of it")
                .containsExactly(Reason.GOES);
    }

    @Test
    void roomIsPromisedAnewOnceWhoHadItHasEnded() {
        ask(T0, leaver("c1", "a", "q", "quiet"));

        relocator.ended("c1", false, T0.plusSeconds(10));

        assertThat(reasons(T0.plusSeconds(11), leaver("c2", "b", "q", "quiet"))).containsExactly(Reason.GOES);
    }

    @Test
    void roomIsPromisedAnewOnceWhoHadItStays() {
        ask(T0, leaver("c1", "a", "q", "quiet"));

        relocator.overdue(List.of(), T0.plusSeconds(15));

        assertThat(reasons(T0.plusSeconds(16), leaver("c2", "b", "q", "quiet"))).containsExactly(Reason.GOES);
    }

    @Test
    void oneAtATimeGoesToTheOnlyNodeThatIsLeft() {
        ask(T0, leaver("c1", "a", "q"), leaver("c2", "b", "q"));
        List<Candidate> now = List.of(leaver("c1", "a", "q", "last"), leaver("c2", "b", "q", "last"));

        assertThat(relocator.overdue(now, T0.plusSeconds(15))).containsExactly("c1");
        relocator.ended("c1", false, T0.plusSeconds(15));
        assertThat(relocator.overdue(now, T0.plusSeconds(20))).containsExactly("c2");
    }

    @Test
    void whatDidNotHelpHoldsTheNextOffForTwiceAsLongEachTime() {
        Instant failed = outcome("c1", T0, Duration.ofHours(1));
        assertThat(reasons(failed.plusSeconds(299), leaver("x", "b", "q"))).containsExactly(Reason.BACKED_OFF);
        Instant later = failed.plusSeconds(300);
        assertThat(reasons(later, leaver("x", "b", "q"))).containsExactly(Reason.GOES);

        Instant again = outcome("c2", later, Duration.ofHours(1));

        assertThat(reasons(again.plusSeconds(599), leaver("x", "b", "q"))).containsExactly(Reason.BACKED_OFF);
        assertThat(reasons(again.plusSeconds(600), leaver("x", "b", "q"))).containsExactly(Reason.GOES);
        assertThat(relocator.tally(later).harmed()).isEqualTo(2);
    }

    @Test
    void whatHelpedIsCountedAndHoldsNobodyOff() {
        Instant helped = outcome("c1", T0, Duration.ofSeconds(100));

        assertThat(relocator.tally(T0).helped()).isEqualTo(1);
        assertThat(relocator.tally(T0).lostSeconds()).isPositive();
        assertThat(reasons(helped, leaver("x", "b", "q"))).containsExactly(Reason.GOES);
    }

    @Test
    void whatEndedInItsGraceHasLostNothing() {
        ask(T0, leaver("c1", "a", "q"));
        relocator.ended("c1", true, T0.plusSeconds(10));

        assertThat(relocator.tally(T0).finished()).isEqualTo(1);
        assertThat(relocator.tally(T0).lostSeconds()).isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void limitsHoldInEveryMinuteAndNoTaskIsAskedTwice(long seed) {
        Random random = new Random(seed);
        List<Judgement> all = new ArrayList<>();
        List<Instant> at = new ArrayList<>();
        Instant now = T0;
        for (int round = 0; round < 60; round++) {
            now = now.plusSeconds(1 + random.nextInt(10));
            List<Candidate> candidates = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                candidates.add(Candidates.random(random, random.nextInt(100)));
            }
            for (Judgement judgement : relocator.judge(candidates, now)) {
                if (judgement.reason() == Reason.GOES
                        && relocator
                                .judge(List.of(judgement.candidate()), now)
                                .get(0)
                                .goes()) {
                    relocator.asked(judgement, now);
                    all.add(judgement);
                    at.add(now);
                }
            }
        }
        assertThat(all).isNotEmpty();
        Set<String> asked = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            Candidate candidate = all.get(i).candidate();
            assertThat(asked.add(candidate.container())).isTrue();
            assertThat(candidate.master()).isFalse();
            assertMinute(all, at, i);
        }
    }

    private static void assertMinute(List<Judgement> all, List<Instant> at, int first) {
        Map<String, Integer> queues = new HashMap<>();
        Set<String> applications = new HashSet<>();
        int cluster = 0;
        for (int i = first; i < all.size() && at.get(i).isBefore(at.get(first).plusSeconds(60)); i++) {
            cluster++;
            Candidate candidate = all.get(i).candidate();
            assertThat(applications.add(candidate.application())).isTrue();
            assertThat(queues.merge(candidate.queue().orElseThrow(), 1, Integer::sum))
                    .isLessThanOrEqualTo(2);
        }
        assertThat(cluster).isLessThanOrEqualTo(4);
    }

    /** Has one leave, another come 5 s later and run for {@code ran}, and returns when that one ends. */
    private Instant outcome(String container, Instant from, Duration ran) {
        ask(from, leaver(container, container, "q"));
        relocator.ended(container, false, from.plusSeconds(15));
        relocator.placed("instead of " + container, container + "/map", from.plusSeconds(20));
        Instant end = from.plusSeconds(20).plus(ran);
        relocator.ended("instead of " + container, true, end);
        return end;
    }

    private void ask(Instant now, Candidate... candidates) {
        relocator.judge(List.of(candidates), now).stream()
                .filter(Judgement::goes)
                .forEach(judgement -> relocator.asked(judgement, now));
    }

    private List<Reason> reasons(Instant now, Candidate... candidates) {
        Map<String, Reason> byContainer = new HashMap<>();
        relocator
                .judge(List.of(candidates), now)
                .forEach(judgement -> byContainer.put(judgement.candidate().container(), judgement.reason()));
        return List.of(candidates).stream()
                .map(candidate -> byContainer.get(candidate.container()))
                .toList();
    }
}
