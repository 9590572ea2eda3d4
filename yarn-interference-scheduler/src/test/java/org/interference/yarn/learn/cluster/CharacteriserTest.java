package org.interference.yarn.learn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.interference.yarn.learn.cluster.Characterisation.Point;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import smile.clustering.KMeans;

/** The vectors are the means published for IntP with one resource stressed at a time, of 10,000 samples each. */
class CharacteriserTest {
    private static final List<Signal> ORDER =
            List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU);
    private static final Map<String, InterferenceVector> PUBLISHED = Map.of(
            "cache", perCent(0, 0, 0, 74, 0, 65, 45),
            "cache-misses", perCent(0, 0, 0, 0, 72, 0, 93),
            "cpu", perCent(0, 0, 0, 1, 0, 17, 99),
            "disk", perCent(0, 0, 23, 0, 0, 24, 0),
            "memory", perCent(0, 0, 0, 52, 0, 59, 99),
            "network", perCent(99, 0, 0, 11, 59, 24, 7));

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyPublishedKindIsAClusterOfItsOwn(long seed) {
        Characterisation found =
                Characteriser.of(around(new Random(seed), 20), 0).orElseThrow();

        assertThat(found.clusters()).hasSize(PUBLISHED.size());
        Set<Integer> nearest = PUBLISHED.values().stream()
                .map(mean -> found.nearest(mean).orElseThrow())
                .collect(Collectors.toSet());
        assertThat(nearest).hasSize(PUBLISHED.size());
        assertThat(purity(found.points().stream().collect(Collectors.groupingBy(Point::cluster))))
                .isEqualTo(1);
        assertThat(purity(found.points().stream().collect(Collectors.groupingBy(Point::branch))))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void asManyKindsAsThereAreAreFoundUpToFifteen(long seed) {
        Random random = new Random(seed);
        SortedMap<String, InterferenceVector> profiles = new TreeMap<>();
        for (int i = 0; i < 150; i++) {
            int row = i % 15 / 4;
            int column = i % 15 % 4;
            profiles.put(
                    Integer.toString(i),
                    new InterferenceVector(Map.of(
                            Signal.CPU, 0.1 + 0.2 * column + 0.01 * random.nextDouble(),
                            Signal.BLK, 0.1 + 0.2 * row + 0.01 * random.nextDouble())));
        }

        assertThat(Characteriser.of(profiles, 0).orElseThrow().clusters())
                .extracting(Characterisation.Cluster::size)
                .hasSize(15)
                .containsOnly(10);
    }

    /** Without clear kinds most starts of K-means stop somewhere worse. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void clustersAreHardlyWiderThanTheNarrowestThatAreKnown(long seed) {
        Random random = new Random(seed);
        double[][] points = new double[60][ORDER.size()];
        SortedMap<String, InterferenceVector> profiles = new TreeMap<>();
        for (int i = 0; i < points.length; i++) {
            EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
            for (int j = 0; j < ORDER.size(); j++) {
                points[i][j] = (random.nextInt(3) == 0 ? 1 : 0.1) * random.nextDouble();
                levels.put(ORDER.get(j), points[i][j]);
            }
            profiles.put("task-" + i, new InterferenceVector(levels));
        }

        Characterisation found = Characteriser.of(profiles, 8).orElseThrow();

        double narrowest = IntStream.range(0, 2000)
                .mapToDouble(start -> new KMeans(points, 8, 100).distortion())
                .min()
                .orElseThrow();
        assertThat(found.choices().get(6).clusters()).isEqualTo(8);
        assertThat(found.choices().get(6).within()).isLessThan(1.005 * narrowest);
    }

    @Test
    void centresHaveTheClassesOfTheirLevels() {
        Characterisation found = Characteriser.of(around(new Random(1), 20), 0).orElseThrow();
        Characterisation.Cluster disk =
                found.clusters().get(found.nearest(PUBLISHED.get("disk")).orElseThrow());

        assertThat(disk.classes().get(Signal.BLK)).isEqualTo(InterferenceClass.MODERATE);
        assertThat(disk.load().level(Signal.BLK).orElseThrow()).isBetween(0.2, 0.26);
    }

    @Test
    void numberOfClustersIsTheOneWithTheBestSilhouette() {
        Characterisation found = Characteriser.of(around(new Random(1), 20), 0).orElseThrow();

        double chosen = found.choices().get(found.clusters().size() - 2).silhouette();
        assertThat(found.choices()).allMatch(choice -> choice.silhouette() <= chosen);
        assertThat(chosen).isGreaterThan(0.7);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 17, 64})
    void asManyClustersAsAreAskedForAreFound(int wanted) {
        Characterisation found =
                Characteriser.of(around(new Random(1), 20), wanted).orElseThrow();

        assertThat(found.clusters()).hasSize(wanted);
        assertThat(found.points().stream().map(Point::branch).distinct()).hasSize(wanted);
    }

    @Test
    void thereAreNoMoreClustersThanDifferentProfiles() {
        SortedMap<String, InterferenceVector> four = new TreeMap<>();
        for (int i = 0; i < 8; i++) {
            four.put("task-" + i, new InterferenceVector(Map.of(Signal.CPU, i % 4 / 4.0, Signal.BLK, i % 4 / 8.0)));
        }

        assertThat(Characteriser.of(four, 7).orElseThrow().clusters()).hasSize(4);
    }

    /** What is drawn as a tree is one: every branch but the last meets another once, and none is lower than those that meet in it. */
    @Test
    void hierarchyIsATreeOfAllProfiles() {
        Characterisation found = Characteriser.of(around(new Random(3), 20), 0).orElseThrow();
        int leaves = found.points().size();

        assertThat(found.merges()).hasSize(leaves - 1);
        assertThat(found.merges().stream()
                        .flatMap(merge -> Stream.of(merge.left(), merge.right()))
                        .sorted())
                .containsExactlyElementsOf(
                        IntStream.range(0, 2 * leaves - 2).boxed().toList());
        for (int i = 0; i < leaves - 1; i++) {
            Characterisation.Merge merge = found.merges().get(i);
            for (int part : List.of(merge.left(), merge.right())) {
                assertThat(part).isLessThan(leaves + i);
                assertThat(merge.height())
                        .isGreaterThanOrEqualTo(
                                part < leaves
                                        ? 0
                                        : found.merges().get(part - leaves).height());
            }
        }
    }

    /** One in fifteen is more than one in twenty. */
    @Test
    void signalThatSomeProfilesLackTakesNoPart() {
        SortedMap<String, InterferenceVector> profiles = around(new Random(1), 5);
        profiles.keySet().stream().limit(2).toList().forEach(key -> takeMemoryBandwidth(profiles, key));

        assertThat(Characteriser.of(profiles, 0).orElseThrow().signals())
                .doesNotContain(Signal.MBW)
                .hasSize(6);
    }

    /** As of a kind that ran only where nobody counts it. */
    @Test
    void profileThatLacksWhatTheOthersHaveIsLeftOut() {
        SortedMap<String, InterferenceVector> profiles = around(new Random(1), 5);
        String lacking = profiles.firstKey();
        takeMemoryBandwidth(profiles, lacking);

        Characterisation found = Characteriser.of(profiles, 0).orElseThrow();

        assertThat(found.signals()).contains(Signal.MBW).hasSize(7);
        assertThat(found.points()).hasSize(profiles.size() - 1).noneMatch(point -> point.key()
                .equals(lacking));
    }

    private static void takeMemoryBandwidth(SortedMap<String, InterferenceVector> profiles, String key) {
        EnumMap<Signal, Double> without = new EnumMap<>(profiles.get(key).levels());
        without.remove(Signal.MBW);
        profiles.put(key, new InterferenceVector(without));
    }

    @Test
    void sameProfilesGiveTheSameAnswer() {
        SortedMap<String, InterferenceVector> profiles = around(new Random(3), 5);

        assertThat(Characteriser.of(profiles, 0)).isEqualTo(Characteriser.of(profiles, 0));
    }

    @Test
    void fewOrEqualProfilesHaveNoKinds() {
        assertThat(Characteriser.of(new TreeMap<>(), 0)).isEmpty();
        SortedMap<String, InterferenceVector> same = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            same.put("task-" + i, PUBLISHED.get("cpu"));
        }
        assertThat(Characteriser.of(same, 0)).isEmpty();
    }

    /** The share of points whose cluster is mostly of their kind. */
    private static double purity(Map<Integer, List<Point>> clusters) {
        Set<String> mixed = new HashSet<>();
        clusters.values().forEach(points -> {
            Set<String> kinds = points.stream()
                    .map(point -> point.key().replaceAll("/.*", ""))
                    .collect(Collectors.toSet());
            if (kinds.size() > 1) {
                mixed.addAll(kinds);
            }
        });
        return 1 - (double) mixed.size() / PUBLISHED.size();
    }

    /** Profiles around the published means, with a deviation of 3 per cent of the node. */
    private static SortedMap<String, InterferenceVector> around(Random random, int each) {
        SortedMap<String, InterferenceVector> profiles = new TreeMap<>();
        new TreeMap<>(PUBLISHED).forEach((kind, mean) -> {
            for (int i = 0; i < each; i++) {
                EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
                mean.levels()
                        .forEach((signal, level) ->
                                levels.put(signal, Math.max(0, Math.min(1, level + 0.03 * random.nextGaussian()))));
                profiles.put("%s/%02d".formatted(kind, i), new InterferenceVector(levels));
            }
        });
        return profiles;
    }

    private static InterferenceVector perCent(int... levels) {
        EnumMap<Signal, Double> vector = new EnumMap<>(Signal.class);
        for (int i = 0; i < levels.length; i++) {
            vector.put(ORDER.get(i), levels[i] / 100.0);
        }
        return new InterferenceVector(vector);
    }
}
