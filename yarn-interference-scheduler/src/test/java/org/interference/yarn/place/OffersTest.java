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
    void aTakenNodeLeavesItsPlaceToTheNext() {
        List.of("a", "b", "c", "d").forEach(this::gather);

        offers.taken("b");

        assertThat(gather("e")).containsExactly("e", "d", "c", "a");
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
                for (int offer = 0; offer < 2 * nodes; offer++) {
                    List<Integer> choices = some.gather(offer % nodes, most, node -> true);
                    assertThat(choices).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(Math.max(most, nodes));
                    if (!choices.isEmpty()) {
                        assertThat(choices.get(0)).isEqualTo(offer % nodes);
                        decided.addAll(choices);
                        if (random.nextBoolean()) {
                            some.taken(choices.get(random.nextInt(choices.size())));
                        } else {
                            some.unwanted();
                        }
                    }
                }
                if (most <= nodes) {
                    assertThat(decided)
                            .as("seed %d, %d nodes, %d choices", seed, nodes, most)
                            .isNotEmpty();
                } else {
                    assertThat(decided).as("seed %d", seed).hasSize(nodes);
                }
            }
        }
    }

    private List<String> gather(String node) {
        return offers.gather(node, CHOICES, any -> true);
    }
}
