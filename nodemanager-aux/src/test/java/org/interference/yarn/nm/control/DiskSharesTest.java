package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DiskSharesTest {
    private static final double MEBI = 1 << 20;
    private static final DiskShares SHARES = new DiskShares(0.1);

    @Test
    void theShortestIsFreeAndTheLongerOnesAreLimitedToTheFloorWhileItUsesTheDisk() {
        Map<String, Long> limits = SHARES.limits(
                90 * MEBI, List.of(user("long", 5, 3000), user("short", 80, 1000), user("middle", 5, 2000)));

        assertThat(limits).containsOnlyKeys("long", "middle");
        assertThat(limits.values()).allSatisfy(limit -> assertThat(limit).isEqualTo(Math.round(9 * MEBI)));
    }

    @Test
    void whatTheShortestLeavesIsSpreadOverTheOthers() {
        Map<String, Long> limits = SHARES.limits(100 * MEBI, List.of(user("short", 20, 100), user("long", 60, 1000)));

        assertThat(limits).containsExactly(Map.entry("long", Math.round(75 * MEBI)));
    }

    @Test
    void whoIsAloneIsNotLimited() {
        assertThat(SHARES.limits(100 * MEBI, List.of(user("one", 99, 1000), user("idle", 0.1, 1))))
                .isEmpty();
    }

    @Test
    void aDiskWithRoomIsNotShared() {
        assertThat(SHARES.limits(100 * MEBI, List.of(user("short", 20, 100), user("long", 20, 1000))))
                .isEmpty();
    }

    @Test
    void usersWithLikeWorkAreAllFree() {
        assertThat(SHARES.limits(100 * MEBI, List.of(user("a", 50, 1000), user("b", 50, 1400))))
                .isEmpty();
    }

    @Test
    void whoeverReallyUsesTheDiskTheFloorIsKeptAndSomebodyIsFree() {
        for (long seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            double capacity = (20 + random.nextInt(1000)) * MEBI;
            List<DiskShares.User> users = new ArrayList<>();
            int count = 2 + random.nextInt(20);
            for (int i = 0; i < count; i++) {
                OptionalLong limit =
                        random.nextBoolean() ? OptionalLong.of(random.nextInt(1 << 28)) : OptionalLong.empty();
                users.add(new DiskShares.User(
                        "c" + i, random.nextDouble() * capacity / count * 2, random.nextDouble() * 1e10, limit));
            }

            Map<String, Long> limits = SHARES.limits(capacity, users);

            double floor = Math.max(2 * MEBI, capacity * Math.min(0.1, 0.5 / (count - 1)));
            assertThat(limits.values()).as("seed %d", seed).allSatisfy(limit -> assertThat((double) limit)
                    .isBetween(floor - 1, capacity + 1));
            assertThat(limits.size()).as("seed %d: somebody is free", seed).isLessThan(count);
            if (!limits.isEmpty()) {
                DiskShares.User shortest = users.stream()
                        .filter(user -> user.rate() >= DiskShares.LEAST_RATE)
                        .min(Comparator.comparingDouble(DiskShares.User::left))
                        .orElseThrow();
                assertThat(limits).doesNotContainKey(shortest.container());
            }
        }
    }

    /** While those before them use the whole capacity, the limits of the others are at most half of it together. */
    @Test
    void limitsAddUpToMoreThanWhatIsLeftOnlyWhereItIsNotUsed() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            double capacity = (200 + random.nextInt(1000)) * MEBI;
            List<DiskShares.User> users = new ArrayList<>();
            users.add(new DiskShares.User("short", capacity, 1, OptionalLong.empty()));
            int count = 1 + random.nextInt(10);
            for (int i = 0; i < count; i++) {
                users.add(new DiskShares.User("c" + i, 2 * MEBI, 1e9 * (1 + i), OptionalLong.empty()));
            }

            Map<String, Long> limits = SHARES.limits(capacity, users);

            assertThat(limits.values().stream().mapToLong(Long::longValue).sum())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(Math.round(capacity / 2) + count);
        }
    }

    /** Three writers of 1:2:3 on a disk that serves each in proportion to what it is allowed and wants. */
    @Test
    void theFirstTasksEndEarlierAndTheLastOneHardlyLater() {
        Map<String, Integer> shared = completions(true);
        Map<String, Integer> equal = completions(false);

        double sharedMean =
                shared.values().stream().mapToInt(Integer::intValue).average().orElseThrow();
        double equalMean =
                equal.values().stream().mapToInt(Integer::intValue).average().orElseThrow();
        assertThat(sharedMean).isLessThan(0.85 * equalMean);
        assertThat(shared.get("3")).isLessThanOrEqualTo(equal.get("3") * 21 / 20);
    }

    private static Map<String, Integer> completions(boolean sharing) {
        double capacity = 60 * MEBI;
        Map<String, Double> left = new TreeMap<>(Map.of("1", 600 * MEBI, "2", 1200 * MEBI, "3", 1800 * MEBI));
        Map<String, Long> limits = Map.of();
        Map<String, Integer> completed = new HashMap<>();
        for (int tick = 1; !left.isEmpty() && tick < 1000; tick++) {
            Map<String, Double> rates = served(capacity, left.keySet().stream().toList(), limits);
            List<DiskShares.User> users = new ArrayList<>();
            for (Map.Entry<String, Double> rate : rates.entrySet()) {
                String user = rate.getKey();
                left.merge(user, -rate.getValue(), Double::sum);
                OptionalLong limit =
                        limits.containsKey(user) ? OptionalLong.of(limits.get(user)) : OptionalLong.empty();
                users.add(new DiskShares.User(user, rate.getValue(), left.get(user), limit));
            }
            for (String user : rates.keySet()) {
                if (left.get(user) <= 0) {
                    left.remove(user);
                    completed.put(user, tick);
                }
            }
            users.removeIf(user -> !left.containsKey(user.container()));
            limits = sharing ? SHARES.limits(capacity, users) : Map.of();
        }
        return completed;
    }

    /** Who is limited to less than an equal part leaves the rest to the others. */
    private static Map<String, Double> served(double capacity, List<String> users, Map<String, Long> limits) {
        Map<String, Double> rates = new HashMap<>();
        double rest = capacity;
        List<String> byLimit = users.stream()
                .sorted(Comparator.comparingLong(user -> limits.getOrDefault(user, Long.MAX_VALUE)))
                .toList();
        for (int i = 0; i < byLimit.size(); i++) {
            double part = Math.min(rest / (byLimit.size() - i), limits.getOrDefault(byLimit.get(i), Long.MAX_VALUE));
            rates.put(byLimit.get(i), part);
            rest -= part;
        }
        return rates;
    }

    private static DiskShares.User user(String container, double mebiPerSecond, double mebiLeft) {
        return new DiskShares.User(container, mebiPerSecond * MEBI, mebiLeft * MEBI, OptionalLong.empty());
    }
}
