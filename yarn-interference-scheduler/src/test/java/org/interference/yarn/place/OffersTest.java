package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OffersTest {
    private static final int CHOICES = 4;

    private final Offers<String> offers = new Offers<>();

    @Test
    void holdsBackUntilThereIsSomethingToChooseFrom() {
        assertThat(gather("a")).isEmpty();
        assertThat(gather("b")).isEmpty();
        assertThat(gather("c")).isEmpty();
        assertThat(gather("d")).containsExactly("d", "c", "b", "a");
    }

    @Test
    void holdsNothingBackTwice() {
        gather("a");
        gather("b");

        assertThat(gather("a")).containsExactly("a", "b");
    }

    @Test
    void whoIsFullLeavesItsPlaceToTheNext() {
        List.of("a", "b", "c", "d").forEach(this::gather);

        assertThat(offers.gather("e", CHOICES, node -> !node.equals("b"))).containsExactly("e", "d", "c", "a");
    }

    @Test
    void whoWasPassedOverLongestLeavesItsPlaceToTheNext() {
        List.of("a", "b", "c", "d").forEach(this::gather);

        assertThat(gather("e")).containsExactly("e", "d", "c", "b");
    }

    @Test
    void whatNobodyWantedIsNotOfferedAgainAtOnce() {
        List.of("a", "b", "c", "d").forEach(this::gather);

        offers.unwanted();

        assertThat(gather("e")).isEmpty();
    }

    @Test
    void whatIsNoLongerOpenIsNotOffered() {
        gather("a");
        gather("b");

        assertThat(offers.gather("b", CHOICES, node -> !node.equals("a"))).containsExactly("b");
    }

    @Test
    void lookingHoldsNothingBack() {
        assertThat(offers.look("a", 2, node -> true)).containsExactly("a");
        assertThat(offers.look("b", 2, node -> true)).containsExactly("b", "a");
        assertThat(offers.look("c", 2, node -> true)).containsExactly("c", "b");
    }

    /** What was proposed there since has to be remembered of these only. */
    @Test
    void holdsWhatMayBeOfferedAgain() {
        gather("a");
        offers.look("b", CHOICES, any -> true);
        assertThat(List.of("a", "b", "c")).filteredOn(offers::holds).containsExactly("a", "b");

        offers.unwanted();

        assertThat(offers.holds("a")).isFalse();
    }

    /** Nothing waits for ever: of a cluster whose nodes are offered in turn, each open node is decided on within two rounds. */
    @Test
    void everyOpenNodeIsDecidedOnWithinTwoRounds() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Offers<Integer> some = new Offers<>();
            int nodes = 1 + random.nextInt(20);
            int most = 1 + random.nextInt(10);
            for (int round = 0; round < 5; round++) {
                Set<Integer> decided = new HashSet<>();
                Set<Integer> full = new HashSet<>();
                for (int offer = 0; offer < 2 * nodes; offer++) {
                    int node = offer % nodes;
                    if (full.contains(node)) {
                        continue;
                    }
                    List<Integer> choices = some.gather(node, most, held -> !full.contains(held));
                    assertThat(choices).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(most);
                    assertThat(choices).noneMatch(full::contains);
                    if (!choices.isEmpty()) {
                        assertThat(choices.get(0)).isEqualTo(node);
                        decided.addAll(choices);
                        if (random.nextBoolean()) {
                            full.add(choices.get(random.nextInt(choices.size())));
                        }
                    }
                }
                assertThat(decided)
                        .as("seed %d, %d nodes, %d choices", seed, nodes, most)
                        .hasSize(nodes);
            }
        }
    }

    private List<String> gather(String node) {
        return offers.gather(node, CHOICES, any -> true);
    }
}
