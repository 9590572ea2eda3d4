package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Groups.Arithmetic<Integer> SIZES = new Groups.Arithmetic<Integer>(
            (ask, free) -> ask <= free, (from, taken) -> from - taken, Comparator.reverseOrder());
    private static final String A = "appattempt_1_0001_000001";
    private static final String B = "appattempt_1_0002_000001";

    private final Groups groups = new Groups();

    @Test
    void itWaitsUntilThereIsRoomForAllAtOnce() {
        groups.asks(A, 3, WAIT, NOW);

        look(NOW, List.of(2, 1), wants(A, 0, 2, 2, 1));
        assertThat(groups.keeps(A, NOW))
                .as("two large ones, and one place for such")
                .isTrue();
        assertThat(groups.waiting(A, NOW).orElseThrow().sentence())
                .isEqualTo("waits for its group: 2 of 3 fit, 30 s left");

        look(NOW, List.of(2, 3), wants(A, 0, 2, 2, 1));
        assertThat(groups.keeps(A, NOW)).isFalse();
        look(NOW, List.of(), wants(A, 0, 2, 2, 1));
        assertThat(groups.keeps(A, NOW)).as("once is enough").isFalse();
        assertThat(groups.waiting(NOW)).isEmpty();
    }

    @Test
    void itsWaitEndsByTheClockAloneAndNeverBeginsAnew() {
        groups.asks(A, 3, WAIT, NOW);
        groups.asks(A, 3, WAIT, NOW.plusSeconds(29));

        assertThat(groups.keeps(A, NOW.plusSeconds(29))).isTrue();
        assertThat(groups.keeps(A, NOW.plusSeconds(30)))
                .as("though nobody has looked")
                .isFalse();
        look(NOW.plusSeconds(31), List.of(), wants(A, 0, 1, 1, 1));
        groups.asks(A, 3, WAIT, NOW.plusSeconds(32));
        assertThat(groups.keeps(A, NOW.plusSeconds(33))).isFalse();
        assertThat(groups.isAnybody()).isFalse();
    }

    @Test
    void whatOneHasBeenAdmittedForIsNotTheNextOnesToo() {
        groups.asks(A, 2, WAIT, NOW);
        groups.asks(B, 2, WAIT, NOW.plusSeconds(1));

        look(NOW, List.of(3), wants(A, 0, 1, 1), wants(B, 0, 1, 1));
        assertThat(groups.keeps(A, NOW)).isFalse();
        assertThat(groups.keeps(B, NOW)).isTrue();
        look(NOW, List.of(2), wants(A, 1, 1), wants(B, 0, 1, 1));
        assertThat(groups.keeps(B, NOW)).as("A still asks for one of two").isTrue();
        look(NOW, List.of(2), wants(A, 2), wants(B, 0, 1, 1));
        assertThat(groups.keeps(B, NOW)).isFalse();
    }

    @Test
    void whatItHasAndWhatNobodyHereCanSayAnythingOfCounts() {
        groups.asks(A, 4, WAIT, NOW);

        look(NOW, List.of(1), new Groups.Wanted<>(A, 2, List.of(1), 1, Optional.empty()));

        assertThat(groups.keeps(A, NOW)).isFalse();
    }

    @Test
    void whatItMayNotHaveIsNoRoom() {
        groups.asks(A, 2, WAIT, NOW);

        look(NOW, List.of(5, 5), new Groups.Wanted<>(A, 0, List.of(2, 2), 0, Optional.of(3)));

        assertThat(groups.waiting(A, NOW).orElseThrow().there()).isEqualTo(1);
    }

    @Test
    void whoIsGoneIsForgottenAndWhoeverWaitsGoesOnWhenItIsSwitchedOff() {
        groups.asks(A, 2, WAIT, NOW);
        groups.retain(attempt -> !attempt.equals(A));
        look(NOW, List.of(), wants(B, 0, 1));
        assertThat(groups.knows(A)).isFalse();
        assertThat(groups.isAnybody()).isFalse();

        groups.asks(B, 2, WAIT, NOW);
        groups.forgetAll();
        assertThat(groups.keeps(B, NOW)).isFalse();
        groups.asks(B, 2, WAIT, NOW);
        assertThat(groups.keeps(B, NOW)).as("it has been let go on").isFalse();
        groups.retain(attempt -> false);
        assertThat(groups.knows(B)).isFalse();
    }

    /** Looking takes a while on a large cluster, and a service asks once. */
    @Test
    void whoFirstAsksWhileSomebodyLooksGoesOnWaiting() {
        groups.asks(A, 2, WAIT, NOW);

        look(NOW, List.of(1), wants(B, 0, 1, 1));

        assertThat(groups.keeps(A, NOW)).isTrue();
        look(NOW, List.of(2), wants(A, 0, 1, 1));
        assertThat(groups.keeps(A, NOW)).isFalse();
    }

    /** Others wait for the thread that looks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLargeGroupIsLookedForOnALargeClusterNodeByNode(int size) {
        int nodes = 500;
        AtomicInteger comparisons = new AtomicInteger();
        Groups.Arithmetic<Integer> counted = new Groups.Arithmetic<>(
                (ask, free) -> {
                    comparisons.incrementAndGet();
                    return SIZES.fits().test(ask, free);
                },
                SIZES.minus(),
                SIZES.largestFirst());
        groups.asks(A, Groups.MOST, WAIT, NOW);

        groups.look(
                List.of(new Groups.Wanted<>(A, 0, Collections.nCopies(Groups.MOST, size), 0, Optional.empty())),
                Collections.nCopies(nodes, 1),
                counted,
                NOW);

        assertThat(groups.waiting(A, NOW).orElseThrow().there()).isEqualTo(size == 1 ? nodes : 0);
        assertThat(comparisons).hasValueLessThanOrEqualTo(2 * nodes);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "1000, 1000", "17, 17"})
    void tagSaysHowManyStartTogether(String tag, int size) {
        assertThat(Groups.size(Set.of("team-a", "ifc-group:" + tag))).hasValue(size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "1", "1001", "-2", "2.5", "03", "two", "99999999999", " 2"})
    void tagThatBreaksTheRuleSaysNothing(String tag) {
        assertThat(Groups.size(Set.of("ifc-group:" + tag))).isEmpty();
        assertThat(Groups.size(Set.of("ifc-group:" + tag, "ifc-group:3"))).hasValue(3);
    }

    /** A cluster on which groups come and go, and each that is not kept back gets a container a second where there is room. */
    @Test
    void onAnyClusterEachGroupGetsAllAtOnceOrGoesOnInTime() {
        for (long seed = 0; seed < 300; seed++) {
            new Life(seed).live();
        }
    }

    private static final class Life {
        private final long seed;
        private final SplittableRandom random;
        private final Groups groups = new Groups();
        private final List<Integer> free = new ArrayList<>();
        private final Map<String, Member> members = new TreeMap<>();
        private Instant now = NOW;

        private static final class Member {
            final int size;
            final Instant asked;
            final List<Integer> left = new ArrayList<>();
            boolean joined;
            boolean late;
            Instant complete;

            Member(int size, Instant asked) {
                this.size = size;
                this.asked = asked;
            }
        }

        Life(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
            for (int node = random.nextInt(1, 6); node > 0; node--) {
                free.add(random.nextInt(1, 9));
            }
        }

        void live() {
            for (int second = 0; second < 120; second++) {
                now = NOW.plusSeconds(second);
                if (members.size() < 6 && random.nextInt(5) == 0) {
                    come();
                }
                groups.look(wanted(), free, SIZES, now);
                members.forEach(this::serve);
                if (random.nextInt(3) == 0) {
                    // Something ends, and there is more room than before.
                    int node = random.nextInt(free.size());
                    free.set(node, free.get(node) + 1);
                }
            }
            members.forEach((attempt, member) -> {
                assertThat(groups.keeps(attempt, member.asked.plus(WAIT)))
                        .as("seed %d, %s", seed, attempt)
                        .isFalse();
                if (member.joined && !member.late) {
                    assertThat(member.complete)
                            .as("seed %d: %s got all that it was admitted for", seed, attempt)
                            .isNotNull();
                }
            });
        }

        private void come() {
            String attempt = "appattempt_1_%04d_000001".formatted(members.size());
            Member member = new Member(random.nextInt(2, 7), now);
            for (int i = 0; i < member.size; i++) {
                member.left.add(random.nextInt(1, 4));
            }
            // As a scheduler serves them: the largest first, so that what was fitted in fits.
            member.left.sort(Collections.reverseOrder());
            members.put(attempt, member);
            groups.asks(attempt, member.size, WAIT, now);
        }

        private List<Groups.Wanted<Integer>> wanted() {
            return members.entrySet().stream()
                    .map(entry -> new Groups.Wanted<>(
                            entry.getKey(),
                            entry.getValue().size - entry.getValue().left.size(),
                            entry.getValue().left,
                            0,
                            Optional.empty()))
                    .toList();
        }

        /** All that is left, if it was admitted: who has room gets it within one look, whoever else is served first. */
        private void serve(String attempt, Member member) {
            if (groups.keeps(attempt, now)) {
                assertThat(member.joined)
                        .as("seed %d: never kept back again", seed)
                        .isFalse();
                assertThat(now).isBefore(member.asked.plus(WAIT));
                return;
            }
            boolean isLate = !now.isBefore(member.asked.plus(WAIT));
            member.late |= isLate && !member.joined;
            member.joined = true;
            if (!member.late) {
                while (!member.left.isEmpty() && take(member.left.get(0))) {
                    member.left.remove(0);
                }
                if (member.left.isEmpty() && member.complete == null) {
                    member.complete = now;
                }
            }
        }

        private boolean take(int size) {
            for (int node = 0; node < free.size(); node++) {
                if (free.get(node) >= size) {
                    free.set(node, free.get(node) - size);
                    return true;
                }
            }
            return false;
        }
    }

    private static Groups.Wanted<Integer> wants(String attempt, int running, Integer... asked) {
        return new Groups.Wanted<>(attempt, running, List.of(asked), 0, Optional.empty());
    }

    private void look(Instant now, List<Integer> free, Groups.Wanted<Integer> one) {
        groups.look(List.of(one), free, SIZES, now);
    }

    private void look(Instant now, List<Integer> free, Groups.Wanted<Integer> one, Groups.Wanted<Integer> other) {
        groups.look(List.of(one, other), free, SIZES, now);
    }
}
