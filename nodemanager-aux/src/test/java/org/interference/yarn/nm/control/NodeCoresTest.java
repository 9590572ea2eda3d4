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
    private static final NodeCores SIXTEEN = new NodeCores(List.of(IntStream.range(0, 8)
            .mapToObj(core -> CoreSet.of(List.of(core, core + 8)))
            .toList()));

    /** The same, of which four are on each of two NUMA nodes. */
    private static final NodeCores TWO_NUMA_NODES = new NodeCores(
            List.of(SIXTEEN.physical().subList(0, 4), SIXTEEN.physical().subList(4, 8)));

    @Test
    void anExecutorOfEightVcoresBesideNineteenMappersGetsItsShare() {
        List<Integer> weights = new ArrayList<>(Collections.nCopies(19, 1));
        weights.add(7, 8);

        List<CoreSet> parts = SIXTEEN.split(weights, CoreSharing.SAME_CORE);

        // 16 x 8 / 27 = 4.7 threads, and those at its ends shared with its neighbours.
        assertThat(parts.get(7).size()).isBetween(5, 6);
        assertThat(parts).allSatisfy(part -> assertThat(part.size()).isBetween(1, 6));
    }

    @Test
    void threadsOfACoreStayTogetherWhereThereAreEnoughCores() {
        assertThat(SIXTEEN.split(List.of(1, 1, 2), CoreSharing.SAME_CORE))
                .containsExactly(CoreSet.parse("0-1,8-9"), CoreSet.parse("2-3,10-11"), CoreSet.parse("4-7,12-15"));
    }

    @Test
    void threadsAreHandedOutWhereThereAreMoreContainersThanCores() {
        List<CoreSet> parts = SIXTEEN.split(Collections.nCopies(16, 3), CoreSharing.SAME_CORE);

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

            List<CoreSet> parts = node.split(weights, CoreSharing.SAME_CORE);

            TreeSet<Integer> handedOut = new TreeSet<>();
            parts.forEach(part -> handedOut.addAll(part.cores()));
            assertThat(handedOut).as("seed %d", seed).isEqualTo(node.all().cores());
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

    @Test
    void fewAreThreadsOfOneCoreOrOfTwo() {
        assertThat(SIXTEEN.few(2, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0,8"));
        assertThat(SIXTEEN.few(3, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0-1,8"));
        assertThat(SIXTEEN.few(2, CoreSharing.APART)).isEqualTo(CoreSet.parse("0-1"));
        assertThat(SIXTEEN.few(9, CoreSharing.APART)).isEqualTo(CoreSet.parse("0-8"));
    }

    @Test
    void fewAreOfTheFirstNumaNodeThatHasAsMany() {
        NodeCores uneven = new NodeCores(
                List.of(List.of(CoreSet.parse("0,8")), SIXTEEN.physical().subList(1, 8)));

        assertThat(uneven.few(2, CoreSharing.APART)).isEqualTo(CoreSet.parse("0,8"));
        assertThat(uneven.few(3, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("1-2,9"));
        assertThat(uneven.few(16, CoreSharing.SAME_CORE)).isEqualTo(CoreSet.parse("0-15"));
    }

    /** In their order the second of 3, 3, 1, 1 would lie in both. */
    @Test
    void partsAreOfOneNumaNodeWhereTheyFit() {
        assertThat(TWO_NUMA_NODES.split(List.of(3, 3, 1, 1), CoreSharing.SAME_CORE))
                .containsExactly(
                        CoreSet.parse("0-2,8-10"),
                        CoreSet.parse("4-6,12-14"),
                        CoreSet.parse("3,11"),
                        CoreSet.parse("7,15"));
    }

    /** By their shares of 1.33 threads the three small ones would be beside one another on two cores. */
    @Test
    void apartNobodyHasAThreadBesideAnothers() {
        List<CoreSet> parts = SIXTEEN.split(List.of(1, 1, 1, 9), CoreSharing.APART);

        assertThat(parts).allSatisfy(part -> assertThat(SIXTEEN.physical())
                .allMatch(core ->
                        part.cores().containsAll(core.cores()) || Collections.disjoint(part.cores(), core.cores())));
        assertThat(parts).extracting(CoreSet::size).containsExactly(2, 2, 2, 10);
    }

    /** Whatever NUMA nodes and weights: what is handed out does not depend on them, and fewer parts than NUMA nodes lie in several. */
    @Test
    void numaNodesDecideWherePartsLieAndNotHowLargeTheyAre() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            List<CoreSet> physical = node(random).physical();
            NodeCores divided = divided(physical, random);
            List<Integer> weights = random.ints(1 + random.nextInt(physical.size()), 1, 8)
                    .boxed()
                    .toList();
            CoreSharing sharing = random.nextBoolean() ? CoreSharing.APART : CoreSharing.SAME_CORE;

            List<CoreSet> parts = divided.split(weights, sharing);

            boolean alike = physical.stream().map(CoreSet::size).distinct().count() == 1;
            int handedOut = parts.stream().mapToInt(CoreSet::size).sum();
            if (handedOut == divided.size()) {
                long inSeveral = parts.stream()
                        .filter(part -> divided.numaNodes().stream()
                                        .filter(one -> one.stream().anyMatch(core -> touches(part, core)))
                                        .count()
                                > 1)
                        .count();
                assertThat(inSeveral)
                        .as("seed %d", seed)
                        .isLessThan(divided.numaNodes().size());
            }
            if (alike) {
                assertThat(parts.stream().map(CoreSet::size))
                        .as("seed %d", seed)
                        .isEqualTo(new NodeCores(List.of(physical))
                                .split(weights, sharing).stream()
                                        .map(CoreSet::size)
                                        .toList());
            }
            assertThat(NodeCores.union(parts)).as("seed %d", seed).isEqualTo(divided.all());
        }
    }

    private static boolean touches(CoreSet part, CoreSet core) {
        return !Collections.disjoint(part.cores(), core.cores());
    }

    private static NodeCores divided(List<CoreSet> physical, Random random) {
        List<List<CoreSet>> numaNodes = new ArrayList<>();
        int from = 0;
        while (from < physical.size()) {
            int end = Math.min(physical.size(), from + 1 + random.nextInt(8));
            numaNodes.add(physical.subList(from, end));
            from = end;
        }
        return new NodeCores(numaNodes);
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
        return new NodeCores(List.of(physical));
    }
}
