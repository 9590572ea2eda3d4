package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeCoresTest {
    /** Eight physical cores of two threads, numbered as Linux does. */
    private static final NodeCores SIXTEEN = new NodeCores(IntStream.range(0, 8)
            .mapToObj(core -> CoreSet.of(List.of(core, core + 8)))
            .toList());

    @Test
    void anExecutorOfEightVcoresBesideNineteenMappersGetsItsShare() {
        List<Integer> weights = new ArrayList<>(Collections.nCopies(19, 1));
        weights.add(7, 8);

        List<CoreSet> parts = SIXTEEN.split(weights);

        // 16 x 8 / 27 = 4.7 threads, and those at its ends shared with its neighbours.
        assertThat(parts.get(7).size()).isBetween(5, 6);
        assertThat(parts).allSatisfy(part -> assertThat(part.size()).isBetween(1, 6));
    }

    @Test
    void threadsOfACoreStayTogetherWhereThereAreEnoughCores() {
        assertThat(SIXTEEN.split(List.of(1, 1, 2)))
                .containsExactly(CoreSet.parse("0-1,8-9"), CoreSet.parse("2-3,10-11"), CoreSet.parse("4-7,12-15"));
    }

    @Test
    void threadsAreHandedOutWhereThereAreMoreContainersThanCores() {
        List<CoreSet> parts = SIXTEEN.split(Collections.nCopies(16, 3));

        assertThat(parts).allSatisfy(part -> assertThat(part.size()).isEqualTo(1));
        assertThat(parts.subList(0, 3)).containsExactly(CoreSet.parse("0"), CoreSet.parse("8"), CoreSet.parse("1"));
    }

    /** Whatever the node and the weights: all is handed out, each gets its share, and of neighbours. */
    @Test
    void everyCoreIsSomebodysAndEverybodyHasHisShareOfNeighbours() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            NodeCores node = node(random);
            List<Integer> weights = random.ints(1 + random.nextInt(40), 1, 1 + random.nextInt(16) + 1)
                    .boxed()
                    .toList();

            List<CoreSet> parts = node.split(weights);

            TreeSet<Integer> handedOut = new TreeSet<>();
            parts.forEach(part -> handedOut.addAll(part.cores()));
            assertThat(handedOut)
                    .as("seed %d", seed)
                    .isEqualTo(node.first(node.size()).cores());
            double total = weights.stream().mapToInt(Integer::intValue).sum();
            double widest =
                    node.physical().stream().mapToInt(CoreSet::size).max().orElseThrow();
            for (int i = 0; i < weights.size(); i++) {
                double share = node.size() * weights.get(i) / total;
                // Physical cores of which some threads are offline are handed out as wholes, too.
                boolean even = node.size() == widest * node.physical().size();
                if (even) {
                    assertThat((double) parts.get(i).size())
                            .as("seed %d, part %d", seed, i)
                            .isBetween(share - widest, share + Math.max(2, widest));
                }
                assertThat(isOfNeighbours(node, parts.get(i)))
                        .as("seed %d, part %d", seed, i)
                        .isTrue();
            }
        }
    }

    private static boolean isOfNeighbours(NodeCores node, CoreSet part) {
        List<Integer> order =
                node.physical().stream().flatMap(set -> set.cores().stream()).toList();
        List<Integer> places =
                part.cores().stream().map(order::indexOf).sorted().toList();
        return places.get(places.size() - 1) - places.get(0) == places.size() - 1;
    }

    private static NodeCores node(Random random) {
        int threads = 1 + random.nextInt(2);
        int cores = 1 + random.nextInt(24);
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, cores * threads).boxed().toList());
        Collections.shuffle(numbers, random);
        if (numbers.size() > 1 && random.nextInt(4) == 0) {
            numbers.remove(0);
        }
        List<CoreSet> physical = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i += threads) {
            physical.add(CoreSet.of(numbers.subList(i, Math.min(numbers.size(), i + threads))));
        }
        return new NodeCores(physical);
    }
}
